# SPDX-License-Identifier: MIT
"""The tools that are compared, each in a process that takes jobs (worker.py, read_limit)."""
import json
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.path.join(os.path.dirname(os.path.dirname(HERE)), "build")
OTHER_PLUGIN = "other plugin"


class Failed(Exception):
    pass


class Worker:
    """A process that answers lines with lines."""

    def __init__(self, command, environment=None):
        self.process = subprocess.Popen(
            command,
            env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1", **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise Failed(f"{self.process.args} has ended")
        return answer

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class PythonTool:
    """GDAL or zarr-python. `outside` and `inside` are what the folder of the data is called here and there."""

    def __init__(self, environment=None, arguments=(), command=None, outside=None, inside=None):
        self.outside, self.inside = outside, inside
        script = os.path.join(HERE, "worker.py")
        if inside:
            shutil.copy(script, outside)
            script = os.path.join(inside, "worker.py")
        self.worker = Worker([*(command or [sys.executable]), script, *arguments], environment)

    def run(self, do, **arguments):
        job = {"do": do, **arguments}
        if self.inside:
            job = {k: v.replace(self.outside, self.inside) if isinstance(v, str) else v for k, v in job.items()}
        answer = json.loads(self.worker.ask(json.dumps(job)))
        if "error" in answer:
            raise Failed(answer["error"])
        return answer

    def close(self):
        self.worker.close()


class LimitTool:
    def __init__(self, threads):
        self.threads = threads
        self.worker = Worker([os.path.join(BUILD, "autotest", "benchmark", "read_limit")])

    def run(self, command, what, last=""):
        seconds, cpu, crc = self.worker.ask(f"{command} {what} {self.threads} {last}").split()
        return {"seconds": float(seconds), "cpu": float(cpu), "crc": int(crc)}

    def close(self):
        self.worker.close()


def make_tools(plugin, threads, builtin_command=None, folder=None, builtin_folder=None):
    """All tools by name; without those that are not installed. Both GDAL drivers with default settings, and with one
    thread (the plugin) or as many as the limit has (the built-in one, whose default is one)."""
    builtin = {"GDAL_DRIVER_PATH": "disable"}
    own = {"GDAL_DRIVER_PATH": plugin}
    many = {"GDAL_NUM_THREADS": str(threads)}
    elsewhere = {"command": builtin_command, "outside": folder, "inside": builtin_folder}
    tools = {
        "limit": LimitTool(threads),
        "limit, 1 thread": LimitTool(1),
        "plugin": PythonTool(own),
        "plugin, 1 thread": PythonTool({**own, "GDAL_NUM_THREADS": "1"}),
        "built-in": PythonTool(builtin, **elsewhere),
        f"built-in, {threads} threads": PythonTool({**builtin, **many}, **elsewhere),
        "GeoTIFF": PythonTool(builtin),
    }
    for name in ("plugin", "built-in"):
        version = tools[name].run("driver_version")
        if (version["plugin"] is not None) != (name == "plugin"):
            sys.exit(f"{name}: the wrong driver is loaded")
        print(f"{name}: GDAL {version['gdal']}" + (f", plugin {version['plugin']}" if version["plugin"] else ""))
    has_zarr = subprocess.run([sys.executable, "-c", "import zarr"], capture_output=True).returncode == 0
    if has_zarr:
        tools["zarr-python"] = PythonTool(arguments=["zarr"])
    return tools
