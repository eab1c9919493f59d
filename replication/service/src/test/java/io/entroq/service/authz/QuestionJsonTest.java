package io.entroq.service.authz;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.service.call.Origin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the authorizer is asked, to the letter. */
class QuestionJsonTest {
  @Test
  void shouldAskAsEntroqDoes() {
    Demand insert = Demand.of(Action.INSERT, "ok");
    assertThat(json("Bearer tok", "bob#1", List.of(insert), List.of()))
        .isEqualTo(
            "{\"input\":{\"authz\":{\"type\":\"Bearer\",\"credentials\":\"tok\"},"
                + "\"claimant_id\":\"bob#1\","
                + "\"queues\":[{\"exact\":\"ok\",\"actions\":[\"INSERT\"]}]}}");
  }

  @Test
  void shouldLeaveOutWhatThereIsNot() {
    assertThat(json("", "", List.of(), List.of())).isEqualTo("{\"input\":{\"authz\":{}}}");
    assertThat(json("tok", "", List.of(), List.of()))
        .isEqualTo("{\"input\":{\"authz\":{\"credentials\":\"tok\"}}}");
    assertThat(json("mTLS a b", "", List.of(), List.of()))
        .isEqualTo("{\"input\":{\"authz\":{\"type\":\"mTLS\",\"credentials\":\"a b\"}}}");
    assertThat(json("", "", List.of(Demand.of(Action.READ, "")), List.of()))
        .isEqualTo("{\"input\":{\"authz\":{},\"queues\":[{\"actions\":[\"READ\"]}]}}");
  }

  @Test
  void shouldAskForPrefixesAndNamespaces() {
    assertThat(
            json(
                "",
                "",
                List.of(Demand.ofPrefix(Action.READ, "a/"), Demand.ofPrefix(Action.READ, "")),
                List.of(Demand.of(Action.CLAIM, "n\"1"))))
        .isEqualTo(
            "{\"input\":{\"authz\":{},"
                + "\"queues\":[{\"prefix\":\"a/\",\"actions\":[\"READ\"]},"
                + "{\"prefix\":\"\",\"actions\":[\"READ\"]}],"
                + "\"namespaces\":[{\"exact\":\"n\\\"1\",\"actions\":[\"CLAIM\"]}]}}");
  }

  private static String json(
      String header, String claimant, List<Demand> queues, List<Demand> namespaces) {
    return new String(
        QuestionJson.of(new Question(header, claimant, queues, namespaces, Origin.NONE)),
        StandardCharsets.UTF_8);
  }
}
