package dev.millrace.executors.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.executors.StepRefusedException;
import dev.millrace.schemas.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

class StrategicMergeTest {

    private static ObjectNode json(String text) {
        return (ObjectNode) Json.mapper().readTree(text.replace('\'', '"'));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    a plain value is replaced           | {'a':1,'b':2}                                       | {'a':3}                                                    | {'a':3,'b':2}
                    a map is merged                     | {'s':{'x':1,'y':2}}                                 | {'s':{'y':3,'z':4}}                                        | {'s':{'x':1,'y':3,'z':4}}
                    null takes away                     | {'a':1,'s':{'x':1,'y':2}}                           | {'a':null,'s':{'x':null,'n':null}}                         | {'s':{'y':2}}
                    null in what is new means nothing   | {}                                                  | {'s':{'x':null,'y':1}}                                     | {'s':{'y':1}}
                    containers by name                  | {'containers':[{'name':'a','image':'1'},{'name':'b'}]} | {'containers':[{'name':'a','image':'2'}]}               | {'containers':[{'name':'a','image':'2'},{'name':'b'}]}
                    a new container comes in front      | {'containers':[{'name':'a'}]}                       | {'containers':[{'name':'n','image':'i'}]}                  | {'containers':[{'name':'n','image':'i'},{'name':'a'}]}
                    patched ones in the patch's order   | {'containers':[{'name':'a'},{'name':'b'},{'name':'c'}]} | {'containers':[{'name':'c'},{'name':'a'}]}             | {'containers':[{'name':'b'},{'name':'c'},{'name':'a'}]}
                    init containers by name             | {'initContainers':[{'name':'a','x':1}]}             | {'initContainers':[{'name':'a','y':2}]}                    | {'initContainers':[{'name':'a','x':1,'y':2}]}
                    env by name                         | {'containers':[{'name':'a','env':[{'name':'E','value':'1'},{'name':'F','value':'2'}]}]} | {'containers':[{'name':'a','env':[{'name':'F','value':'3'}]}]} | {'containers':[{'name':'a','env':[{'name':'E','value':'1'},{'name':'F','value':'3'}]}]}
                    env of init containers by name      | {'initContainers':[{'name':'a','env':[{'name':'E','value':'1'}]}]} | {'initContainers':[{'name':'a','env':[{'name':'E','value':'3'}]}]} | {'initContainers':[{'name':'a','env':[{'name':'E','value':'3'}]}]}
                    mounts by path                      | {'containers':[{'name':'a','volumeMounts':[{'name':'v','mountPath':'/v'}]}]} | {'containers':[{'name':'a','volumeMounts':[{'name':'w','mountPath':'/v'}]}]} | {'containers':[{'name':'a','volumeMounts':[{'name':'w','mountPath':'/v'}]}]}
                    devices by path                     | {'containers':[{'name':'a','volumeDevices':[{'name':'v','devicePath':'/v'}]}]} | {'containers':[{'name':'a','volumeDevices':[{'name':'w','devicePath':'/v'}]}]} | {'containers':[{'name':'a','volumeDevices':[{'name':'w','devicePath':'/v'}]}]}
                    ports by number                     | {'containers':[{'name':'a','ports':[{'containerPort':80}]}]} | {'containers':[{'name':'a','ports':[{'containerPort':80,'name':'h'}]}]} | {'containers':[{'name':'a','ports':[{'containerPort':80,'name':'h'}]}]}
                    args as a whole                     | {'containers':[{'name':'a','args':['1','2']}]}      | {'containers':[{'name':'a','args':['3']}]}                 | {'containers':[{'name':'a','args':['3']}]}
                    env sources as a whole              | {'containers':[{'name':'a','envFrom':[{'prefix':'x'}]}]} | {'containers':[{'name':'a','envFrom':[{'prefix':'y'}]}]} | {'containers':[{'name':'a','envFrom':[{'prefix':'y'}]}]}
                    tolerations as a whole              | {'tolerations':[{'key':'a'},{'key':'b'}]}           | {'tolerations':[{'key':'c'}]}                              | {'tolerations':[{'key':'c'}]}
                    volumes by name                     | {'volumes':[{'name':'v','emptyDir':{}}]}            | {'volumes':[{'name':'v','emptyDir':{'medium':'Memory'}}]}  | {'volumes':[{'name':'v','emptyDir':{'medium':'Memory'}}]}
                    the only keys of a volume           | {'volumes':[{'name':'v','emptyDir':{}}]}            | {'volumes':[{'name':'v','$retainKeys':['name','secret'],'secret':{'secretName':'s'}}]} | {'volumes':[{'name':'v','secret':{'secretName':'s'}}]}
                    pull secrets by name                | {'imagePullSecrets':[{'name':'a'}]}                 | {'imagePullSecrets':[{'name':'b'}]}                        | {'imagePullSecrets':[{'name':'b'},{'name':'a'}]}
                    host aliases by ip                  | {'hostAliases':[{'ip':'1','hostnames':['a']}]}      | {'hostAliases':[{'ip':'1','hostnames':['b']}]}             | {'hostAliases':[{'ip':'1','hostnames':['b']}]}
                    spread by key                       | {'topologySpreadConstraints':[{'topologyKey':'z','maxSkew':1}]} | {'topologySpreadConstraints':[{'topologyKey':'z','maxSkew':2}]} | {'topologySpreadConstraints':[{'topologyKey':'z','maxSkew':2}]}
                    an item taken away                  | {'containers':[{'name':'a'},{'name':'b'}]}          | {'containers':[{'name':'a','$patch':'delete'}]}            | {'containers':[{'name':'b'}]}
                    a list replaced                     | {'containers':[{'name':'a'},{'name':'b'}]}          | {'containers':[{'$patch':'replace'},{'name':'c'}]}         | {'containers':[{'name':'c'}]}
                    a map replaced                      | {'s':{'x':1}}                                       | {'s':{'$patch':'replace','y':2}}                           | {'s':{'y':2}}
                    a map emptied                       | {'s':{'x':1}}                                       | {'s':{'$patch':'delete'}}                                  | {'s':{}}
                    a container replaced                | {'containers':[{'name':'a','env':[{'name':'E'}]}]}  | {'containers':[{'name':'a','env':[{'name':'F'},{'$patch':'replace'}]}]} | {'containers':[{'name':'a','env':[{'name':'F'}]}]}
                    values taken out of a list          | {'containers':[{'name':'a','args':['1','2']}]}      | {'containers':[{'name':'a','$deleteFromPrimitiveList/args':['1']}]} | {'containers':[{'name':'a','args':['2']}]}
                    the order of others is no member    | {'a':1}                                             | {'$setElementOrder/containers':[{'name':'a'}]}             | {'a':1}
                    another kind of value               | {'a':[1]}                                           | {'a':{'b':1}}                                              | {'a':{'b':1}}
                    """)
    void mergesAsTheApiDoes(String what, String spec, String patch, String expected)
            throws StepRefusedException {
        ObjectNode before = json(spec);
        assertThat(StrategicMerge.apply(before, json(patch))).isEqualTo(json(expected));
        assertThat(before).as("what was there is not changed").isEqualTo(json(spec));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {'containers':[{'image':'i'}]}                           | each item of containers needs a name
                    {'containers':['main']}                                  | containers must hold objects
                    {'containers':[{'name':'a','env':[{'value':'1'}]}]}      | each item of containers[a].env needs a name
                    {'s':{'$patch':'remove'}}                                | s: $patch must be replace, merge or delete, not 'remove'
                    {'containers':[{'name':'a','$patch':'remove'}]}          | containers: $patch must be replace, merge or delete, not 'remove'
                    {'$retainKeys':['a'],'b':1}                              | the spec sets b, which its $retainKeys does not name
                    """)
    void saysWhereAPatchCannotBeUnderstood(String patch, String message) {
        ObjectNode spec = json("{'s':{},'containers':[{'name':'a','env':[{'name':'E'}]}]}");
        assertThatThrownBy(() -> StrategicMerge.apply(spec, json(patch)))
                .isInstanceOf(StepRefusedException.class)
                .hasMessageContaining(message);
    }

    @Test
    void aPatchThatIsLaidOnTwiceChangesNothingMore() throws StepRefusedException {
        ObjectNode patch =
                json(
                        "{'containers':[{'name':'n','image':'i'},{'name':'a','args':['1']}],'x':null}");
        ObjectNode once = StrategicMerge.apply(json("{'x':1,'containers':[{'name':'a'}]}"), patch);
        assertThat(StrategicMerge.apply(once, patch)).isEqualTo(once);
    }
}
