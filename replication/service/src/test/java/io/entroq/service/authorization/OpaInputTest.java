package io.entroq.service.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.service.limit.Origin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the authorizer is asked, to the letter. */
class OpaInputTest {
  @Test
  void shouldAskAsEntroqDoes() {
    Permission insert = Permission.of(Action.INSERT, "ok");
    assertThat(json("Bearer tok", "bob#1", List.of(insert), List.of()))
        .isEqualTo(
            "{\"input\":{\"authz\":{\"type\":\"Bearer\",\"credentials\":\"tok\"},"
                + "\"claimant_id\":\"bob#1\","
                + "\"queues\":[{\"exact\":\"ok\",\"actions\":[\"INSERT\"]}]}}");
  }

  @Test
  void shouldOmitEmptyFields() {
    assertThat(json("", "", List.of(), List.of())).isEqualTo("{\"input\":{\"authz\":{}}}");
    assertThat(json("tok", "", List.of(), List.of()))
        .isEqualTo("{\"input\":{\"authz\":{\"credentials\":\"tok\"}}}");
    assertThat(json("mTLS a b", "", List.of(), List.of()))
        .isEqualTo("{\"input\":{\"authz\":{\"type\":\"mTLS\",\"credentials\":\"a b\"}}}");
    assertThat(json("", "", List.of(Permission.of(Action.READ, "")), List.of()))
        .isEqualTo("{\"input\":{\"authz\":{},\"queues\":[{\"actions\":[\"READ\"]}]}}");
  }

  @Test
  void shouldAskForPrefixesAndNamespaces() {
    assertThat(
            json(
                "",
                "",
                List.of(
                    Permission.ofPrefix(Action.READ, "a/"), Permission.ofPrefix(Action.READ, "")),
                List.of(Permission.of(Action.CLAIM, "n\"1"))))
        .isEqualTo(
            "{\"input\":{\"authz\":{},"
                + "\"queues\":[{\"prefix\":\"a/\",\"actions\":[\"READ\"]},"
                + "{\"prefix\":\"\",\"actions\":[\"READ\"]}],"
                + "\"namespaces\":[{\"exact\":\"n\\\"1\",\"actions\":[\"CLAIM\"]}]}}");
  }

  private static String json(
      String header, String claimant, List<Permission> queues, List<Permission> namespaces) {
    return new String(
        OpaInput.of(new AuthorizationQuery(header, claimant, queues, namespaces, Origin.NONE)),
        StandardCharsets.UTF_8);
  }
}
