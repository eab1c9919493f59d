package io.entroq.service.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Documents of the operator, complete and otherwise. */
class MeshDocumentTest {
  @Test
  void shouldReadWhatTheOperatorWrites() throws MeshPolicyException {
    MeshDocument document =
        parse(
            """
            {"initialized": true,
             "queues": [{"pattern": "/payments/leaf/inbox", "matchType": "Exact",
                         "allowedCallers": [{"app": "gateway"}, {"a/b.c_d": "", "x": "1"}]}],
             "namespaces": [{"pattern": "/payments/", "matchType": "Prefix",
                             "allowedCallers": [{"example.com/team": "pay-1_a.B"}]}],
             "identities": {"system:serviceaccount:payments:gateway": {"labels": {"app": "g"}}}}
            """);
    assertThat(document.queues())
        .containsExactly(
            new MeshDocument.Rule(
                "/payments/leaf/inbox",
                false,
                List.of(Map.of("app", "gateway"), Map.of("a/b.c_d", "", "x", "1"))));
    assertThat(document.namespaces())
        .containsExactly(
            new MeshDocument.Rule(
                "/payments/", true, List.of(Map.of("example.com/team", "pay-1_a.B"))));
    assertThat(document.identities())
        .containsExactly(Map.entry("system:serviceaccount:payments:gateway", Map.of("app", "g")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{'initialized':true}",
        "{'initialized':true,'queues':null,'namespaces':[],'identities':{}}",
      })
  void shouldReadAnEmptyPolicy(String text) throws MeshPolicyException {
    MeshDocument document = parse(text.replace('\'', '"'));
    assertThat(document.queues()).isEmpty();
    assertThat(document.namespaces()).isEmpty();
    assertThat(document.identities()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{} | initialized is not true",
        "{'initialized':false} | initialized is not true",
        "{'initialized':null} | initialized is not true",
        "`` | expected START_OBJECT, got null",
        "[] | the document: expected START_OBJECT, got START_ARRAY",
        "{'initialized':true,'surprise':1} | the document: unknown field surprise",
        "{'initialized':true}{} | followed by more",
        "{'initialized':true,'initialized':true} | Duplicate",
        "{'initialized':'true'} | boolean",
        "{'initialized':true | end-of-input",
        "{'queues':{}} | queues: expected START_ARRAY",
        "{'queues':[1]} | queues[0]: expected START_OBJECT",
        "{'queues':[{'matchType':'Exact','allowedCallers':[{'a':'b'}]}]} | queues[0].pattern: is",
        "{'queues':[{'pattern':'/q','allowedCallers':[{'a':'b'}]}]} | queues[0].matchType: expected",
        "{'queues':[{'pattern':'/q','matchType':'Regex','allowedCallers':[{'a':'b'}]}]}"
            + " | queues[0].matchType: expected Exact or Prefix",
        "{'queues':[{'pattern':'/q','matchType':'Exact'}]} | queues[0].allowedCallers: is empty",
        "{'queues':[{'pattern':'/q','matchType':'Exact','allowedCallers':[{}]}]}"
            + " | queues[0].allowedCallers[0]: is empty",
        "{'queues':[{'pattern':'/q','matchType':'Exact','allowedCallers':[null]}]}"
            + " | queues[0].allowedCallers[0]: expected START_OBJECT",
        "{'queues':[{'pattern':7}]} | queues[0].pattern: expected VALUE_STRING",
        "{'queues':[{'x':7}]} | queues[0]: unknown field x",
        "{'namespaces':[{'pattern':'','matchType':'Prefix','allowedCallers':[{'a':'b'}]}]}"
            + " | namespaces[0].pattern: is empty",
        "{'namespaces':[{'pattern':'/q','matchType':'Exact','allowedCallers':[{'bad key':'b'}]}]}"
            + " | namespaces[0].allowedCallers[0].bad key: not the key of a label",
        "{'identities':{'':{'labels':{'a':'b'}}}} | identities: a subject is empty",
        "{'identities':{'s':{}}} | identities.s.labels: is empty",
        "{'identities':{'s':{'labels':{}}}} | identities.s.labels: is empty",
        "{'identities':{'s':{'labels':{'a':7}}}} | identities.s.labels.a: expected VALUE_STRING",
        "{'identities':{'s':{'labels':{'a':'-b'}}}} | a: not the value of a label",
        "{'identities':{'s':{'labels':{'a':'b c'}}}} | a: not the value of a label",
        "{'identities':{'s':{'labels':{'/a':'b'}}}} | /a: not the key of a label",
        "{'identities':{'s':{'labels':{'A.b/a':'b'}}}} | A.b/a: not the key of a label",
        "{'identities':{'s':{'labels':{'a/':'b'}}}} | a/: not the key of a label",
        "{'identities':{'s':{'labels':{'a/b/c':'b'}}}} | a/b/c: not the key of a label",
        "{'identities':{'s':{'label':{}}}} | identities.s: unknown field label",
      })
  void shouldRefuseWhatIsNotCompleteAndValid(String text, String why) {
    assertThatThrownBy(() -> parse(text.replace('\'', '"')))
        .isInstanceOf(MeshPolicyException.class)
        .hasMessageStartingWith("invalid mesh document: ")
        .hasMessageContaining(why);
  }

  @Test
  void shouldBoundLabels() throws MeshPolicyException {
    String longest = "x".repeat(63);
    assertThat(parse(labeled("d".repeat(63) + ".e/" + longest, longest)).identities()).hasSize(1);
    for (String invalid :
        List.of(
            labeled(longest + "x", "y"),
            labeled("k", longest + "x"),
            labeled("d".repeat(254) + "/k", "v"))) {
      assertThatThrownBy(() -> parse(invalid)).hasMessageContaining("of a label in Kubernetes");
    }
  }

  private static String labeled(String key, String value) {
    return "{\"initialized\":true,\"identities\":{\"s\":{\"labels\":{\"%s\":\"%s\"}}}}"
        .formatted(key, value);
  }

  private static MeshDocument parse(String text) throws MeshPolicyException {
    return MeshDocument.parse(text.getBytes(StandardCharsets.UTF_8));
  }
}
