"""A client of the field, as people write it: submits a DAG of scripts, waits, reads it back, lists, deletes."""

import json
import sys
import time

from hera.exceptions import NotFound
from hera.workflows import DAG, Container, Parameter, Workflow, WorkflowsService, script


@script(image="python:alpine3.23", command=["python3"])
def double(number: int):
    print(number * 2)


@script(image="python:alpine3.23", command=["python3"])
def add(left: int, right: int):
    print(left + right)


service = WorkflowsService(host=sys.argv[1], verify_ssl=False, namespace="default")


def workflow() -> Workflow:
    """A new one each time: a created workflow keeps the name that it was given."""
    with Workflow(
        generate_name="hera-",
        namespace="default",
        entrypoint="sum",
        labels={"made-by": "hera"},
        arguments=[Parameter(name="first", value="3")],
        workflows_service=service,
    ) as made:
        say = Container(
            name="say", image="alpine:3.23", command=["echo"], args=["{{inputs.parameters.text}}"], inputs=[Parameter(name="text")]
        )
        with DAG(name="sum"):
            three = double(name="three", arguments={"number": "{{workflow.parameters.first}}"})
            four = double(name="four", arguments={"number": 4})
            both = add(name="both", arguments={"left": three.result, "right": four.result})
            [three, four] >> both
            both >> say(name="tell", arguments={"text": "it is {{tasks.both.outputs.result}}"})
    return made


linted = workflow().lint()
assert linted.metadata.generate_name == "hera-", linted

created = workflow().create()
name = created.metadata.name
assert name.startswith("hera-"), name

found = service.get_workflow(name)
deadline = time.monotonic() + 90
while found.status is None or found.status.phase not in ("Succeeded", "Failed", "Error"):
    assert time.monotonic() < deadline, found
    time.sleep(0.2)
    found = service.get_workflow(name)

assert found.status.phase == "Succeeded", found.status
nodes = {node.display_name: node for node in found.status.nodes.values()}
assert nodes["both"].outputs.result == "14", nodes["both"]
assert nodes["three"].type == "Pod" and nodes["three"].phase == "Succeeded", nodes["three"]

listed = service.list_workflows(label_selector="made-by=hera")
assert [w.metadata.name for w in listed.items] == [name], listed
assert not service.list_workflows(label_selector="made-by=somebody").items

unwanted = workflow().create().metadata.name
service.delete_workflow(unwanted)
try:
    service.get_workflow(unwanted)
    raise AssertionError("a deleted workflow is still there")
except NotFound:
    pass

print(json.dumps({"name": name, "version": service.get_version().version}))
