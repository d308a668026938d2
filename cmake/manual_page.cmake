# SPDX-License-Identifier: MIT
# Makes a manual page of what a program says with --help: what stands before "Usage:" is its description.
# Usage: cmake -DPROGRAM=... -DNAME=... -DVERSION=... -DSUMMARY=... -DOUTPUT=<file>.gz -P manual_page.cmake
execute_process(COMMAND ${PROGRAM} --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE "\\\\" "\\\\e" help "${help}")
string(REPLACE "-" "\\-" help "${help}")
string(REGEX REPLACE "\n([.'])" "\n\\\\&\\1" help "${help}")
string(FIND "${help}" "\nUsage:\n" usage)
if(usage LESS 0)
  message(FATAL_ERROR "the help of ${NAME} has no line \"Usage:\"")
endif()
string(SUBSTRING "${help}" 0 ${usage} description)
string(SUBSTRING "${help}" ${usage} -1 commands)
string(REPLACE "\nUsage:\n" "" commands "${commands}")
string(TOUPPER ${NAME} title)
string(REGEX REPLACE "\\.gz$" "" page ${OUTPUT})
file(WRITE ${page} ".TH ${title} 1 \"\" \"${NAME} ${VERSION}\"
.SH NAME
${NAME} \\- ${SUMMARY}
.SH SYNOPSIS
.B ${NAME}
.I COMMAND STORE
.RI [ OPTIONS ]
.SH DESCRIPTION
${description}
.SH COMMANDS
.nf
${commands}.fi
")
execute_process(COMMAND gzip -9 -n -f ${page} COMMAND_ERROR_IS_FATAL ANY)
