package io.entroq.service.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import io.entroq.service.call.CallContext;
import io.entroq.service.call.Principal;
import io.entroq.service.limit.Origin;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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

  /** The policy needs no key then, and nobody gets the token. */
  @Test
  void shouldDescribeAVerifiedCallerInsteadOfItsHeader() {
    Principal principal =
        new Principal(
            "ann",
            "https://issuer.example",
            List.of("entroq", "x"),
            2_000_000_000,
            "{\"sub\":\"ann\",\"role\":\"worker\"}");
    assertThat(
            new String(
                OpaInput.of(
                    AuthorizationQuery.of(
                        new CallContext(
                                "test", name -> Optional.of("Bearer tok"), OptionalLong.empty())
                            .by(principal),
                        "ann#1",
                        List.of(),
                        List.of())),
                StandardCharsets.UTF_8))
        .isEqualTo(
            "{\"input\":{\"principal\":{\"subject\":\"ann\","
                + "\"issuer\":\"https://issuer.example\",\"audience\":[\"entroq\",\"x\"],"
                + "\"expires_at\":2000000000,"
                + "\"claims\":{\"sub\":\"ann\",\"role\":\"worker\"}},"
                + "\"claimant_id\":\"ann#1\"}}");
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
        OpaInput.of(
            new AuthorizationQuery(
                Optional.empty(), header, claimant, queues, namespaces, Origin.NONE)),
        StandardCharsets.UTF_8);
  }
}
