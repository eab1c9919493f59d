package io.entroq.service.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.entroq.codec.wire.edge.ActionType;
import io.entroq.codec.wire.edge.AuthzDep;
import io.entroq.service.call.Principal;
import io.entroq.service.limit.Origin;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Decisions by a policy, as EntroQ's own server makes them. */
class MeshAuthorizerTest {
  private static final String GATEWAY = "system:serviceaccount:payments:gateway";
  private static final String WORKER = "system:serviceaccount:payments:worker";
  private static final String OPERATOR = "system:serviceaccount:eqk8s-system:controller";
  private static final String INBOX = "/payments/leaf/inbox";

  private final MeshAuthorizer mesh = new MeshAuthorizer(config(Optional.empty()));

  @TempDir private Path directory;

  private static MeshConfig config(Optional<Path> file) {
    return new MeshConfig(OPERATOR, file, false);
  }

  /** The gateway may use the inbox of the leaf, and the docs that the team shares. */
  private static String document(String callers) {
    return """
        {"initialized": true,
         "queues": [{"pattern": "%s", "matchType": "Exact", "allowedCallers": [%s]},
                    {"pattern": "/bulk/", "matchType": "Prefix", "allowedCallers": [%s]}],
         "namespaces": [{"pattern": "/payments/shared/", "matchType": "Prefix",
                         "allowedCallers": [%s]}],
         "identities": {"%s": {"labels": {"app": "gateway", "tier": "edge"}},
                        "%s": {"labels": {"app": "worker"}}}}
        """
        .formatted(INBOX, callers, callers, callers, GATEWAY, WORKER);
  }

  private void put(String document) throws MeshPolicyException {
    mesh.replace(document.getBytes(StandardCharsets.UTF_8), "a test");
  }

  private Decision decide(
      String subject, String claimant, List<Permission> queues, List<Permission> namespaces) {
    Optional<Principal> principal =
        subject.isEmpty()
            ? Optional.empty()
            : Optional.of(new Principal(subject, "issuer", List.of("a"), 0, "{}"));
    return mesh.ask(
            new AuthorizationQuery(principal, "", claimant, queues, namespaces, Origin.NONE))
        .join();
  }

  private boolean isAllowed(String subject, Permission queue) {
    return decide(subject, "", List.of(queue), List.of()).isAllowed();
  }

  private boolean mayRead(String subject, Permission namespace) {
    return decide(subject, "", List.of(), List.of(namespace)).isAllowed();
  }

  private static Permission insert(String queue) {
    return Permission.of(Action.INSERT, queue);
  }

  @Test
  void shouldGrantWhatTheLabelsOfACallerOpen() throws MeshPolicyException {
    put(document("{\"app\": \"gateway\"}"));
    for (Action action : Action.values()) {
      assertThat(isAllowed(GATEWAY, Permission.of(action, INBOX))).isTrue();
    }
    assertThat(isAllowed(GATEWAY, insert("/bulk/x"))).isTrue();
    assertThat(isAllowed(GATEWAY, Permission.ofPrefix(Action.READ, "/bulk/"))).isTrue();
    assertThat(isAllowed(GATEWAY, Permission.ofPrefix(Action.READ, "/bulk/x"))).isTrue();
    assertThat(mayRead(GATEWAY, Permission.of(Action.READ, "/payments/shared/docs"))).isTrue();

    assertThat(isAllowed(WORKER, insert(INBOX))).isFalse();
    assertThat(isAllowed(GATEWAY, insert("/payments/leaf/inbox2"))).isFalse();
    assertThat(isAllowed(GATEWAY, insert("/payments/leaf/other"))).isFalse();
    assertThat(isAllowed(GATEWAY, insert("/bulk"))).isFalse();
    assertThat(isAllowed(GATEWAY, Permission.ofPrefix(Action.READ, "/bul"))).isFalse();
    // A rule for one name opens no prefix.
    assertThat(isAllowed(GATEWAY, Permission.ofPrefix(Action.READ, INBOX))).isFalse();
    // Queues open no namespaces, and the other way around.
    assertThat(mayRead(GATEWAY, Permission.of(Action.READ, INBOX))).isFalse();
    assertThat(isAllowed(GATEWAY, insert("/payments/shared/docs"))).isFalse();
    assertThat(isAllowed("system:serviceaccount:payments:stranger", insert(INBOX))).isFalse();
    assertThat(isAllowed("", insert(INBOX))).isFalse();
  }

  @Test
  void shouldGrantTheResponsesOfAnOpenInbox() throws MeshPolicyException {
    put(document("{\"app\": \"gateway\"}"));
    assertThat(isAllowed(GATEWAY, insert("/payments/leaf/response/request-1"))).isTrue();
    assertThat(isAllowed(GATEWAY, insert("/payments/leaf/response"))).isFalse();
    assertThat(isAllowed(WORKER, insert("/payments/leaf/response/request-1"))).isFalse();
  }

  @Test
  void shouldGrantServiceAccountsTheirOwnQueuesEvenWithoutAPolicy() throws MeshPolicyException {
    for (int i = 0; i < 2; i++) {
      assertThat(isAllowed(GATEWAY, insert("/payments/gateway/inbox"))).isTrue();
      assertThat(isAllowed(GATEWAY, insert("/payments/gateway"))).isFalse();
      assertThat(isAllowed(GATEWAY, insert("/payments/worker/inbox"))).isFalse();
      assertThat(mayRead(GATEWAY, Permission.of(Action.READ, "/payments/gateway/x"))).isFalse();
      assertThat(isAllowed("ann", insert("/ann/x"))).isFalse();
      assertThat(isAllowed("user:serviceaccount:payments:gateway", insert("/payments/gateway/x")))
          .isFalse();
      assertThat(isAllowed(GATEWAY + ":x", insert("/payments/gateway/x"))).isFalse();
      put(document("{\"app\": \"nobody\"}"));
    }
    assertThat(isAllowed(GATEWAY, insert(INBOX))).isFalse();
  }

  /** All labels of one entry, of any entry. */
  @Test
  void shouldWantAllLabelsOfAnyEntry() throws MeshPolicyException {
    put(document("{\"app\": \"worker\", \"tier\": \"edge\"}, {\"app\": \"gateway\"}"));
    assertThat(isAllowed(GATEWAY, insert(INBOX))).isTrue();
    assertThat(isAllowed(WORKER, insert(INBOX))).isFalse();
    put(document("{\"app\": \"gateway\", \"tier\": \"core\"}"));
    assertThat(isAllowed(GATEWAY, insert(INBOX))).isFalse();
    put(document("{\"app\": \"gateway\", \"tier\": \"edge\"}"));
    assertThat(isAllowed(GATEWAY, insert(INBOX))).isTrue();
    // A label that a caller lacks counts as an empty one.
    put(document("{\"app\": \"worker\", \"tier\": \"\"}"));
    assertThat(isAllowed(WORKER, insert(INBOX))).isTrue();
    assertThat(isAllowed(GATEWAY, insert(INBOX))).isFalse();
  }

  @Test
  void shouldWantClaimantsOfTheCallersName() throws MeshPolicyException {
    put(document("{\"app\": \"gateway\"}"));
    List<Permission> queue = List.of(insert(INBOX));
    assertThat(decide(GATEWAY, GATEWAY + "#1", queue, List.of()).isAllowed()).isTrue();
    for (String claimant : List.of(GATEWAY, GATEWAY + "1#", WORKER + "#1", "x")) {
      assertThat(details(decide(GATEWAY, claimant, queue, List.of())))
          .containsExactly(text("claimant_id does not match authenticated user"));
    }
  }

  @Test
  void shouldSayWhatIsDenied() throws MeshPolicyException {
    put(document("{\"app\": \"gateway\"}"));
    Decision decision =
        decide(
            GATEWAY,
            "x#1",
            List.of(insert(INBOX), insert("/a"), Permission.ofPrefix(Action.READ, "/b")),
            List.of(Permission.of(Action.READ, "n")));
    assertThat(details(decision))
        .containsExactly(
            text("User: " + GATEWAY),
            text("claimant_id does not match authenticated user"),
            text("namespace: READ n"),
            AuthzDep.newBuilder().addActions(ActionType.INSERT).setExact("/a").build(),
            AuthzDep.newBuilder().addActions(ActionType.READ).setPrefix("/b").build());
    assertThat(decision.isFailure()).isFalse();
    assertThat(decision.covers(insert("/a"))).isTrue();
    assertThat(decision.covers(insert(INBOX))).isFalse();
    // Whoever has no permission at all may not even do nothing.
    assertThat(details(decide("ann", "", List.of(), List.of()))).isEmpty();
    assertThat(decide(GATEWAY, "", List.of(), List.of()).isAllowed()).isTrue();
  }

  /** It can be granted to nobody. */
  @Test
  void shouldDenyWhatHasNoName() throws MeshPolicyException {
    put(document("{\"app\": \"gateway\"}"));
    assertThat(isAllowed(GATEWAY, insert(""))).isFalse();
    assertThat(isAllowed(GATEWAY, Permission.ofPrefix(Action.READ, ""))).isFalse();
    assertThat(mayRead(GATEWAY, Permission.of(Action.READ, ""))).isFalse();
  }

  @Test
  void shouldLetOnlyTheOperatorDoWhatOperatorsDo() throws MeshPolicyException {
    put(document("{\"app\": \"gateway\"}"));
    List<Permission> all = List.of(Permission.ofPrefix(Action.READ, ""));
    assertThat(decide(OPERATOR, "", all, all).isAllowed()).isTrue();
    assertThat(decide(OPERATOR, "", all, List.of()).isAllowed()).isTrue();
    assertThat(decide(GATEWAY, "", all, all).isAllowed()).isFalse();
    assertThat(decide(OPERATOR, "", List.of(insert(INBOX)), List.of()).isAllowed()).isFalse();
    assertThat(decide(OPERATOR, "", List.of(all.get(0), insert(INBOX)), List.of()).isAllowed())
        .isFalse();
  }

  @Test
  void shouldKeepThePolicyIfTheNextIsInvalid() throws MeshPolicyException {
    put(document("{\"app\": \"gateway\"}"));
    assertThatThrownBy(() -> put("{\"initialized\": true, \"queues\": [{}]}"))
        .isInstanceOf(MeshPolicyException.class);
    assertThat(isAllowed(GATEWAY, insert(INBOX))).isTrue();
    put("{\"initialized\": true}");
    assertThat(isAllowed(GATEWAY, insert(INBOX))).isFalse();
  }

  @Test
  void shouldStartWithTheFileOrNotAtAll() throws Exception {
    Path file = directory.resolve("mesh.json");
    MeshAuthorizer missing = new MeshAuthorizer(config(Optional.of(file)));
    assertThatThrownBy(missing::load)
        .isInstanceOf(MeshPolicyException.class)
        .hasMessageContaining("cannot read the mesh policy " + file);
    Files.writeString(file, "{}");
    assertThatThrownBy(missing::load)
        .hasMessage(file + ": invalid mesh document: initialized is not true");
    Files.writeString(file, document("{\"app\": \"gateway\"}"));
    missing.load();
    assertThat(
            missing
                .ask(
                    new AuthorizationQuery(
                        Optional.of(new Principal(GATEWAY, "i", List.of(), 0, "{}")),
                        "",
                        "",
                        List.of(insert(INBOX)),
                        List.of(),
                        Origin.NONE))
                .join())
        .isEqualTo(Decision.ALLOWED);
  }

  private static List<AuthzDep> details(Decision decision) {
    Refusal refusal = decision.refusal().orElseThrow();
    assertThat(refusal.code()).isEqualTo(Status.Code.PERMISSION_DENIED);
    return refusal.denials();
  }

  private static AuthzDep text(String message) {
    return AuthzDep.newBuilder().addActions(ActionType.DETAIL).setMsg(message).build();
  }
}
