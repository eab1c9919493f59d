package io.entroq.service.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.AuthzDep;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is made of the answers of an authorizer: nothing is allowed but by a clear yes. */
class OpaOutputTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"result\":{\"allow\":true}}",
        "{\"decision_id\":\"x\",\"result\":{\"allow\":true,\"more\":{\"allow\":[false]}}}",
        "{\"result\":{\"failed\":[{\"exact\":\"q\",\"actions\":[\"READ\"]}],\"allow\":true,"
            + "\"errors\":[\"e\"]}}",
        "{\"result\":{\"allow\":true,\"failed\":null,\"errors\":null},\"warning\":null}",
      })
  void shouldAllow(String answer) throws IOException {
    assertThat(read(answer)).isEqualTo(Decision.ALLOWED);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"result\":{}}",
        "{\"result\":{\"allow\":false}}",
        "{\"result\":{\"allow\":null}}",
        "{\"result\":{\"Allow\":true}}",
        "{\"result\":{\"x\":{\"allow\":true}}}",
      })
  void shouldDenyUnlessAllowed(String answer) throws IOException {
    Refusal refusal = read(answer).refusal().orElseThrow();
    assertThat(refusal)
        .isEqualTo(new Refusal(Status.Code.PERMISSION_DENIED, "queue action denied"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"{}", "{\"result\":null}", "{\"allow\":true}", "{\"code\":\"x\"}"})
  void shouldDenyWhenThePolicyDoesNotExist(String answer) throws IOException {
    Decision decision = read(answer);
    assertThat(decision.isFailure()).isTrue();
    assertThat(decision.refusal().orElseThrow())
        .isEqualTo(
            new Refusal(
                Status.Code.PERMISSION_DENIED, "unknown authz error: the policy does not exist"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "true",
        "[]",
        "null",
        "not json",
        "{\"result\":true}",
        "{\"result\":[{\"allow\":true}]}",
        "{\"result\":{\"allow\":\"true\"}}",
        "{\"result\":{\"allow\":1}}",
        "{\"result\":{\"allow\":{}}}",
        "{\"result\":{\"allow\":[true]}}",
        "{\"result\":{\"allow\":true}",
        "{\"result\":{\"allow\":true}}}",
        "{\"result\":{\"allow\":true}} {}",
        "{\"result\":{\"allow\":false,\"allow\":true}}",
        "{\"result\":{\"allow\":false},\"result\":{\"allow\":true}}",
        "{\"result\":{\"allow\":true,\"errors\":\"e\"}}",
        "{\"result\":{\"allow\":true,\"errors\":[1]}}",
        "{\"result\":{\"allow\":true,\"errors\":[null]}}",
        "{\"result\":{\"allow\":true,\"failed\":{}}}",
        "{\"result\":{\"allow\":true,\"failed\":[\"q\"]}}",
        "{\"result\":{\"allow\":true,\"failed\":[{\"exact\":1}]}}",
        "{\"result\":{\"allow\":true,\"failed\":[{\"actions\":\"READ\"}]}}",
        "{\"result\":{\"allow\":true,\"failed_namespaces\":[[]]}}",
        "<html></html>",
      })
  void shouldRejectMalformedOutput(String answer) {
    assertThatThrownBy(() -> read(answer)).isInstanceOf(IOException.class);
  }

  @Test
  void shouldReportDeniedItemsAndMessages() throws IOException {
    Decision decision =
        read(
            "{\"result\":{\"allow\":false,\"errors\":[\"User: bob\",\"\"],\"failed\":["
                + "{\"exact\":\"q\",\"actions\":[\"CLAIM\",\"READ\"]},"
                + "{\"prefix\":\"p/\",\"actions\":[\"INSERT\",\"CHANGE\",\"DELETE\"]},"
                + "{\"exact\":\"odd\",\"actions\":[\"FLY\",\"READ\"]}],"
                + "\"failed_namespaces\":[{\"exact\":\"n\",\"actions\":[\"READ\",\"CLAIM\"]}]}}");
    assertThat(decision.isFailure()).isFalse();
    assertThat(details(decision))
        .containsExactly(
            text("User: bob"),
            text("WARNING: Unknown action \"FLY\""),
            text("namespace: READ, CLAIM n"),
            AuthzDep.newBuilder()
                .setExact("q")
                .addActions(ActionType.CLAIM)
                .addActions(ActionType.READ)
                .build(),
            AuthzDep.newBuilder()
                .setPrefix("p/")
                .addActions(ActionType.INSERT)
                .addActions(ActionType.CHANGE)
                .addActions(ActionType.DELETE)
                .build(),
            AuthzDep.newBuilder().setExact("odd").addActions(ActionType.READ).build());
  }

  @Test
  void shouldReportNoMoreThanFitsIntoTrailers() throws IOException {
    String entry = "{\"exact\":\"" + "q".repeat(100) + "\",\"actions\":[\"READ\"]}";
    String failed = (entry + ",").repeat(999) + entry;
    List<AuthzDep> details =
        details(read("{\"result\":{\"allow\":false,\"failed\":[" + failed + "]}}"));
    assertThat(details).hasSizeBetween(20, 60);
    assertThat(details.get(details.size() - 1))
        .isEqualTo(text("and " + (1_001 - details.size()) + " more that would not fit"));
  }

  private static AuthzDep text(String message) {
    return AuthzDep.newBuilder().addActions(ActionType.DETAIL).setMsg(message).build();
  }

  private static List<AuthzDep> details(Decision decision) {
    return decision.refusal().orElseThrow().details().stream().map(AuthzDep.class::cast).toList();
  }

  private static Decision read(String answer) throws IOException {
    return OpaOutput.read(answer.getBytes(StandardCharsets.UTF_8));
  }
}
