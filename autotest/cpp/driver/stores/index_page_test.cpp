// SPDX-License-Identifier: MIT
#include "driver/stores/index_page.h"

#include <gtest/gtest.h>

#include <string>

namespace gdal_zarr {
namespace {

constexpr const char* kUrl = "http://host/data/a.zarr/";

/// Writes the entries as "a/ b", or "none" for a page that is no list.
std::string Parse(const std::string& page, const std::string& url = kUrl) {
  const auto entries = ParseIndexPage(page, url);
  if (!entries) return "none";
  std::string text;
  for (const ListedEntry& entry : *entries)
    text += (text.empty() ? "" : " ") + entry.name + (entry.is_folder ? "/" : "");
  return text;
}

std::string MakePage(const std::string& links, const std::string& title = "Index of /data/a.zarr/") {
  return "<html><head><title>" + title + "</title></head><body>" + links + "</body></html>";
}

TEST(IndexPage, OfNginx) {
  EXPECT_EQ(Parse(MakePage("<pre><a href=\"../\">../</a>\n<a href=\"t/\">t/</a>  1-Jan-2026 10:00  -\n"
                           "<a href=\"zarr.json\">zarr.json</a></pre>")),
            "t/ zarr.json");
}

TEST(IndexPage, OfApache) {
  EXPECT_EQ(Parse(MakePage("<a href=\"?C=N;O=D\">Name</a><a href=\"/data/\">Parent Directory</a><a href=\"t/\">t/</a>"
                           "<A HREF='zarr.json'>zarr.json</A>")),
            "t/ zarr.json");
}

TEST(IndexPage, OfIis) {
  EXPECT_EQ(Parse(MakePage("<A HREF=\"/data/\">[To Parent Directory]</A><A HREF=\"/data/a.zarr/t/\">t</A>",
                           "host - /data/a.zarr/")),
            "t/");
}

TEST(IndexPage, OfPythonJettyAndTomcat) {
  for (const char* title : {"Directory listing for /data/a.zarr/", "Directory: /data/a.zarr/",
                            "Directory Listing For [/data/a.zarr/]", "\n Index of /data/a.zarr/"}) {
    EXPECT_EQ(Parse(MakePage("<li><a href=\"t/\">t/</a></li>", title)), "t/") << title;
  }
}

TEST(IndexPage, LinksAreDecoded) {
  EXPECT_EQ(Parse(MakePage("<a href=\"a%20b&amp;c/\">x</a><a href=\"./t:1\">x</a><a href=\"100%\">x</a>")),
            "100% a b&c/ t:1");
}

TEST(IndexPage, AbsoluteLinks) {
  EXPECT_EQ(Parse(MakePage("<a href=\"http://host/data/a.zarr/t/\">x</a><a href=\"http://other/data/a.zarr/u/\">x</a>"
                           "<a href=\"//other/v\">x</a><a href=\"/style.css\">x</a>")),
            "t/");
  EXPECT_EQ(Parse(MakePage("<a href=\"/data/a%20b/t/\">x</a>"), "http://host/data/a b/?token=1"), "t/");
}

TEST(IndexPage, WhatIsNotInTheFolder) {
  EXPECT_EQ(Parse(MakePage("<a href=\"mailto:me@host\">x</a><a href=\"../b/\">x</a><a href=\"t/c/0\">x</a>"
                           "<a href=\".\">x</a><a href=\"#top\">x</a><a href=\"\">x</a>")),
            "none");
}

TEST(IndexPage, OtherPages) {
  EXPECT_EQ(Parse("<html><title>Welcome</title><a href=\"t/\">t</a></html>"), "none");
  EXPECT_EQ(Parse("<html><a href=\"t/\">t</a></html>"), "none");
  EXPECT_EQ(Parse(""), "none");
  EXPECT_EQ(Parse("<title>Index of /<a href=\"t/"), "none");
  EXPECT_EQ(Parse(MakePage("<a href=\"t/")), "none");
  EXPECT_EQ(Parse(MakePage("<a href=")), "none");
}

}  // namespace
}  // namespace gdal_zarr
