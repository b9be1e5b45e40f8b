package dev.millrace.workflowengine.core;

import dev.millrace.expressions.tag.Mode;
import dev.millrace.expressions.tag.Replacement;
import dev.millrace.expressions.tag.TagTemplate;
import dev.millrace.schemas.Json;
import dev.millrace.schemas.record.Frame;
import dev.millrace.schemas.record.Node;
import dev.millrace.schemas.record.NodeFlag;
import dev.millrace.schemas.record.NodePhase;
import dev.millrace.schemas.record.NodeType;
import dev.millrace.schemas.record.WorkflowEvent;
import dev.millrace.schemas.workflow.Arguments;
import dev.millrace.schemas.workflow.Inputs;
import dev.millrace.schemas.workflow.Parameter;
import dev.millrace.schemas.workflow.Scalar;
import dev.millrace.schemas.workflow.Template;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Puts a call's arguments into a template, and makes the node that the call stands for. */
final class Calls {
    /** Templates may call themselves, but not for ever. */
    static final int MAX_DEPTH = 100;

    private static final String DISPLAY_NAME = "workflows.argoproj.io/display-name";

    private static final List<String> SAID_BY_TEMPLATE =
            List.of("name", "path", "mode", "recurseMode", "optional", "from", "fromExpression");

    private Calls() {}

    /**
     * The template that a call means, with its inputs put in.
     *
     * @throws CallException if there is no such template, an input is missing or a tag cannot be
     *     replaced
     */
    static Called prepare(Transition t, Call call) {
        if (call.depth() >= MAX_DEPTH) {
            throw new CallException(
                    "Maximum recursion depth exceeded: templates call each other more than "
                            + MAX_DEPTH
                            + " levels deep");
        }
        return switch (t.workflow().resolve(call.scope(), call.use())) {
            case Workflow.Resolution.Missing(var message) -> throw new CallException(message);
            case Workflow.Resolution.Found(var body, var scope) ->
                    whole(
                            fill(
                                    t,
                                    body,
                                    scope,
                                    call.arguments(),
                                    () ->
                                            locals(
                                                    t,
                                                    call.name(),
                                                    call.call(),
                                                    call.boundaryId(),
                                                    body),
                                    RetryRun.layerFor(t, call.name(), attempt(call))));
        };
    }

    /** A tag that cannot be replaced in some step or task is in the way of the whole call. */
    private static Called whole(Called called) {
        Definition definition = called.definition();
        if (definition.tagged() && !definition.probe().passes(called.filling())) {
            for (JsonNode member : called.definition().members()) {
                if (called.definition().tagged(member)) {
                    JsonNode _ = called.filling().apply(member);
                }
            }
        }
        return called;
    }

    /**
     * The template of an existing node, with the inputs that it was called with. Within a decision
     * it is made once, and again only if a variable of the workflow changed.
     */
    static Called of(Transition t, Node node) {
        return t.called(node, t.workflow().variables(), () -> make(t, node));
    }

    private static Called make(Transition t, Node node) {
        Arguments arguments =
                node.inputs() == null
                        ? new Arguments(List.of(), List.of())
                        : new Arguments(node.inputs().parameters(), node.inputs().artifacts());
        return switch (t.workflow().resolve(node.templateScope(), use(node))) {
            case Workflow.Resolution.Missing(var message) -> throw new CallException(message);
            case Workflow.Resolution.Found(var body, var scope) ->
                    fill(
                            t,
                            body,
                            scope,
                            arguments,
                            () -> locals(t, node.name(), node.call(), node.boundaryId(), body),
                            RetryRun.layerFor(t, node.name(), node.attempt()));
        };
    }

    /** How the caller of this node named its template. */
    static TemplateUse use(Node node) {
        if (node.inline() != null) {
            return new TemplateUse.Inline(node.inline());
        }
        return node.templateRef() != null
                ? new TemplateUse.Ref(node.templateRef())
                : new TemplateUse.Named(node.templateName() == null ? "" : node.templateName());
    }

    /**
     * The whole-number or boolean member of a node's template that does not depend on its inputs.
     */
    static JsonNode member(Transition t, Node node, String member) {
        return written(t, node).path(member);
    }

    /** A node's template as it is written; missing if there is none. */
    static JsonNode written(Transition t, Node node) {
        return t.workflow().resolve(node.templateScope(), use(node))
                        instanceof Workflow.Resolution.Found(var body, _)
                ? body
                : Json.mapper().missingNode();
    }

    /** The node's template as it is written, taken apart; null if there is no such template. */
    static @Nullable Definition definition(Transition t, Node node) {
        return t.workflow().resolve(node.templateScope(), use(node))
                        instanceof Workflow.Resolution.Found(var body, _)
                ? t.definition(body)
                : null;
    }

    private static Map<String, String> locals(
            Transition t,
            String name,
            @Nullable String call,
            @Nullable String boundaryId,
            JsonNode body) {
        Map<String, String> locals = new LinkedHashMap<>();
        locals.put("pod.name", NodeNames.podName(t.name(), name, body.path("name").asString("")));
        locals.put("node.name", name);
        if (call != null && boundaryId != null) {
            Node boundary = t.node(boundaryId);
            String kind = boundary.type() == NodeType.DAG ? "tasks.name" : "steps.name";
            locals.put(kind, NodeNames.display(name, boundary.name()));
        } else if (boundaryId == null) {
            // The entry template is a step without a name, whatever its type.
            locals.put("steps.name", "");
        }
        return locals;
    }

    private static Called fill(
            Transition t,
            JsonNode raw,
            String scope,
            Arguments arguments,
            Supplier<Map<String, String>> locals,
            Variables.@Nullable Layer retry) {
        Definition definition = t.definition(raw);
        try {
            if (!definition.variable() && !definition.tagged()) {
                return new Called(
                        definition.rest(),
                        definition.template(),
                        null,
                        scope,
                        definition,
                        UnaryOperator.identity());
            }
            ObjectNode body =
                    (ObjectNode) (definition.shaped() ? definition.rest() : raw).deepCopy();
            Variables globals =
                    Variables.of(t.workflow().variables(), new Variables.Flat(locals.get()));
            supply(t, body, arguments, globals);
            JsonNode first = replace(body, globals, Mode.LENIENT);
            Variables inner = globals.with(new Variables.Flat(inputVariables(first)));
            JsonNode filled = last(t, replace(first, inner, Mode.LENIENT), retry);
            Template template = Json.convert(filled, Template.class);
            Inputs inputs = template.inputs();
            boolean any =
                    inputs != null
                            && !(inputs.parameters().isEmpty() && inputs.artifacts().isEmpty());
            return new Called(
                    filled,
                    template,
                    any ? inputs : null,
                    scope,
                    definition.shaped() ? definition : new Definition(filled),
                    definition.shaped()
                            ? member ->
                                    last(
                                            t,
                                            replace(
                                                    replace(member, globals, Mode.LENIENT),
                                                    inner,
                                                    Mode.LENIENT),
                                            retry)
                            : UnaryOperator.identity());
        } catch (JacksonException e) {
            throw new CallException(
                    "the template does not have the shape of a template: "
                            + e.getOriginalMessage());
        }
    }

    private static JsonNode last(Transition t, JsonNode tree, Variables.@Nullable Layer retry) {
        return retry == null
                ? tree
                : replace(tree, Variables.of(t.workflow().variables(), retry), Mode.LENIENT);
    }

    /** Replaces the tags of a tree. */
    static JsonNode replace(JsonNode tree, Variables variables, Mode mode) {
        String text = tree.toString();
        TagTemplate tags = TagTemplate.parse(text);
        if (!tags.hasTags()) {
            return tree;
        }
        return switch (tags.replace(variables, mode, true)) {
            case Replacement.Text(var replaced, _) -> parse(replaced);
            case Replacement.NotYet(var tag) ->
                    throw new CallException("failed to resolve {{" + tag + "}}");
            case Replacement.Failed(var message) -> throw new CallException(message);
        };
    }

    private static JsonNode parse(String text) {
        try {
            return Json.mapper().readTree(text);
        } catch (JacksonException e) {
            throw new CallException(
                    "the values of the tags make the text invalid JSON: " + e.getOriginalMessage());
        }
    }

    /**
     * Gives each declared input its value: the caller's argument, else the declared value, else
     * what a ConfigMap holds, else the default.
     */
    private static void supply(
            Transition t, ObjectNode body, Arguments arguments, Variables globals) {
        if (!(body.get("inputs") instanceof ObjectNode inputs)) {
            return;
        }
        Map<String, Parameter> byName = new LinkedHashMap<>();
        arguments.parameters().forEach(p -> byName.put(p.name(), p));
        for (JsonNode declared : inputs.path("parameters")) {
            ObjectNode parameter = (ObjectNode) declared;
            String name = parameter.path("name").asString("");
            Parameter argument = byName.get(name);
            String given = argument(t, argument, globals);
            if (given != null) {
                parameter.put("value", given);
                if (argument != null
                        && argument.valueFrom() != null
                        && argument.valueFrom().configMapKeyRef() != null) {
                    parameter.set("valueFrom", Json.tree(argument.valueFrom()));
                }
                continue;
            }
            if (parameter.hasNonNull("value")) {
                parameter.put("value", scalar(parameter.get("value")));
                continue;
            }
            String stored =
                    ConfigMapValues.value(
                            t, parameter, globals.with(new Variables.Flat(inputVariables(body))));
            if (stored != null) {
                parameter.put("value", stored);
            } else if (parameter.hasNonNull("default")) {
                parameter.put("value", scalar(parameter.get("default")));
            } else if (argument != null && argument.valueFrom() == null) {
                // Only an absent output leaves an argument without a value.
                throw new CallException(
                        "inputs.parameters."
                                + name
                                + ": argument references an absent optional (skipped/omitted node output with no default)");
            } else {
                throw new CallException("inputs.parameters." + name + " was not supplied");
            }
        }
        supplyArtifacts(inputs, arguments);
    }

    private static @Nullable String argument(
            Transition t, @Nullable Parameter argument, Variables globals) {
        if (argument == null) {
            return null;
        }
        Scalar value = argument.value();
        if (value != null) {
            return value.text();
        }
        return argument.valueFrom() == null
                ? null
                : ConfigMapValues.value(t, Json.tree(argument), globals);
    }

    /**
     * Gives each declared input artifact its place: the caller's argument, else the declared one.
     * How it comes in ({@code path}, {@code mode} …) is the template's to say.
     */
    private static void supplyArtifacts(ObjectNode inputs, Arguments arguments) {
        for (JsonNode artifact : inputs.path("artifacts")) {
            ObjectNode declared = (ObjectNode) artifact;
            String name = declared.path("name").asString("");
            ObjectNode argument =
                    arguments.artifacts().stream()
                            .filter(a -> a.name().equals(name))
                            .map(a -> (ObjectNode) Json.tree(a))
                            .findFirst()
                            .orElse(null);
            if (argument != null && Locations.located(argument)) {
                Locations.clear(declared);
                argument.remove(SAID_BY_TEMPLATE);
                argument.properties()
                        .forEach(
                                p -> {
                                    if (!declared.has(p.getKey())) {
                                        declared.set(p.getKey(), p.getValue());
                                    }
                                });
            } else if (!declared.path("optional").asBoolean(false)
                    && !Locations.located(declared)) {
                throw new CallException(
                        "inputs.artifacts."
                                + name
                                + (argument == null
                                        ? " was not supplied"
                                        : " missing location information"));
            }
        }
    }

    private static String scalar(JsonNode value) {
        return Scalar.of(value).text();
    }

    private static Map<String, String> inputVariables(JsonNode body) {
        Map<String, String> all = new LinkedHashMap<>();
        ArrayNode list = Json.mapper().createArrayNode();
        for (JsonNode p : body.path("inputs").path("parameters")) {
            String name = p.path("name").asString("");
            String value = p.path("value").asString("");
            all.put("inputs.parameters." + name, value);
            list.add(Json.object().put("name", name).put("value", value));
        }
        all.put("inputs.parameters", list.toString());
        for (JsonNode a : body.path("inputs").path("artifacts")) {
            if (a.hasNonNull("path")) {
                all.put(
                        "inputs.artifacts." + a.path("name").asString("") + ".path",
                        a.path("path").asString(""));
            }
        }
        for (JsonNode a : body.path("outputs").path("artifacts")) {
            if (a.hasNonNull("path")) {
                all.put(
                        "outputs.artifacts." + a.path("name").asString("") + ".path",
                        a.path("path").asString(""));
            }
        }
        for (JsonNode p : body.path("outputs").path("parameters")) {
            JsonNode path = p.path("valueFrom").path("path");
            if (path.isString()) {
                all.put(
                        "outputs.parameters." + p.path("name").asString("") + ".path",
                        path.stringValue());
            }
        }
        return all;
    }

    /**
     * The variables that texts inside a template may use, but for those of its own steps or tasks.
     */
    static Variables variables(Transition t, Node node, Called called) {
        Map<String, String> locals =
                locals(t, node.name(), node.call(), node.boundaryId(), called.body());
        return Variables.of(
                t.workflow().variables(),
                new Variables.Flat(locals),
                new Variables.Flat(inputVariables(called.body())),
                new InputArtifacts(called.inputs()));
    }

    /** A new node for a call. */
    static Node node(
            Transition t,
            Call call,
            NodeType type,
            NodePhase phase,
            @Nullable String message,
            @Nullable Called called,
            @Nullable String stepId) {
        String boundaryName = call.boundaryId() == null ? null : t.node(call.boundaryId()).name();
        // A memoized node waited before it was called: what it had, it keeps.
        Node waiting =
                called == null || called.template().memoize() == null ? null : t.find(call.name());
        NodeFlag flag = call.flag();
        if (flag == null && type == NodeType.SKIPPED) {
            flag = NodeFlag.NONE;
        }
        return new Node(
                t.id(call.name()),
                call.name(),
                display(call, called, boundaryName),
                type,
                call.use() instanceof TemplateUse.Named(var name) ? name : null,
                call.use() instanceof TemplateUse.Ref(var ref) ? ref : null,
                call.scope(),
                phase,
                call.boundaryId(),
                message,
                waiting == null ? t.now() : waiting.startedAt(),
                phase.fulfilled() ? t.now() : null,
                flag,
                called == null ? null : called.inputs(),
                null,
                List.of(),
                null,
                null,
                call.ownerId(),
                call.call(),
                stepId,
                call.use() instanceof TemplateUse.Inline(var body) ? body : null,
                call.depth(),
                call.exitHandler(),
                waiting == null ? Frame.EMPTY : waiting.frame(),
                null,
                waiting == null ? null : waiting.lock(),
                waiting == null ? null : waiting.memoization(),
                Map.of());
    }

    /** The template may say what its nodes are called; else it is what is left of the name. */
    private static String display(
            Call call, @Nullable Called called, @Nullable String boundaryName) {
        String wished = called == null ? null : called.template().annotations().get(DISPLAY_NAME);
        return wished == null ? NodeNames.display(call.name(), boundaryName) : wished;
    }

    /** A node that never got anything to run: skipped, omitted, or in error before its start. */
    static Node neverRan(Transition t, Call call, NodePhase phase, @Nullable String message) {
        Node node = node(t, call, NodeType.SKIPPED, phase, message, null, null);
        t.add(node, call.parents());
        Endings.fulfilled(t, node);
        return node;
    }

    static boolean attempt(Call call) {
        return call.flag() != null && Boolean.TRUE.equals(call.flag().retried());
    }

    /**
     * Makes the node of a call and starts what is below it.
     *
     * @throws CallException if the call cannot be made; no node was made then
     */
    static void start(Transition t, Call call) {
        Called called = prepare(t, call);
        Node known = t.head().run() > 0 ? t.find(call.name()) : null;
        if (known != null && WorkflowRetry.reopened(t, known)) {
            resume(t, known, call, called);
        } else if (!CarriedSteps.skip(t, call, called)
                && !LockRun.request(t, call, called)
                && !Memoized.ask(t, call, called)) {
            begin(t, call, called);
        }
        Emissions.begun(t, call);
        HookRun.lookIfConcerned(t, t.node(t.id(call.name())));
    }

    /**
     * A node that a retry reopened goes on, with the inputs that it would get now, when it has its
     * locks again.
     */
    private static void resume(Transition t, Node known, Call call, Called called) {
        List<String> locks = LockRun.wanted(t, call, called);
        WorkflowRetry.resumed(t, known);
        if (!Objects.equals(known.inputs(), called.inputs())) {
            t.emit(new WorkflowEvent.NodeAdded(t.node(known.id()).withInputs(called.inputs())));
        }
        if (known.ownerId() != null && t.node(known.ownerId()).type().isGroup()) {
            t.keep(known.ownerId(), known);
        }
        Slots.taken(t, t.node(known.id()));
        if (locks.isEmpty()) {
            goOn(t, t.node(known.id()), called);
        } else {
            LockRun.ask(t, known.id(), locks);
        }
    }

    /** A node that a retry reopened starts what it lacks. */
    static void goOn(Transition t, Node node, Called called) {
        switch (node.type()) {
            case RETRY -> RetryRun.startAttempt(t, node.id());
            case STEPS -> StepsRun.resume(t, node, called);
            case DAG -> DagRun.resume(t, node, called);
            case POD, CONTAINER, STEP_GROUP, TASK_GROUP, SKIPPED, SUSPEND, HTTP, PLUGIN ->
                    throw new IllegalStateException(
                            node.type() + " " + node.name() + " cannot be reopened by a call");
        }
    }

    /** The call that made a node; what it hangs below stays. */
    static Call again(Node node) {
        Inputs inputs = node.inputs();
        return new Call(
                node.name(),
                node.boundaryId(),
                node.ownerId(),
                node.call(),
                use(node),
                node.templateScope(),
                inputs == null
                        ? new Arguments(List.of(), List.of())
                        : new Arguments(inputs.parameters(), inputs.artifacts()),
                node.nodeFlag(),
                List.of(),
                node.depth(),
                node.exitHandler());
    }

    /** The type of the node of a call: a Retry node if it has attempts. */
    static NodeType outerType(Transition t, Called called) {
        return RetryRun.strategy(t, called) != null ? NodeType.RETRY : type(called);
    }

    /** The type of the nodes of a template, retries aside. */
    static NodeType type(Called called) {
        Template template = called.template();
        if (template.steps() != null) {
            return NodeType.STEPS;
        }
        return template.dag() != null ? NodeType.DAG : LeafRun.type(template);
    }

    static void begin(Transition t, Call call, Called called) {
        if (!attempt(call) && RetryRun.strategy(t, called) != null) {
            Node node = node(t, call, NodeType.RETRY, NodePhase.RUNNING, null, called, null);
            t.add(node, call.parents());
            RetryRun.begin(t, node);
            return;
        }
        Template template = called.template();
        if (template.steps() != null) {
            Node node = node(t, call, NodeType.STEPS, NodePhase.RUNNING, null, called, null);
            t.add(node, call.parents());
            Slots.taken(t, node);
            StepsRun.begin(t, node, called);
        } else if (template.dag() != null) {
            Node node = node(t, call, NodeType.DAG, NodePhase.RUNNING, null, called, null);
            t.add(node, call.parents());
            Slots.taken(t, node);
            DagRun.begin(t, node, called);
        } else {
            LeafRun.begin(t, call, called);
        }
    }
}
