package io.entroq.service.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;
import io.entroq.codec.wire.published.admin.StatusRequest;
import io.entroq.codec.wire.published.admin.StatusResponse;
import io.entroq.service.admin.NoMemberAdmin;
import io.entroq.service.authentication.Authentication;
import io.entroq.service.authentication.TestIssuer;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Principal;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A caller in this process that knows its users, where clients need a token. */
class IdentifiedCallerTest {
  private static final CallContext ANONYMOUS = CallContext.of("console");
  private static final CallContext ANN =
      ANONYMOUS.by(
          new Principal("ann", "entroq-console", List.of("entroq-console"), 1L << 40, "{}"));
  private static final TasksRequest REQUEST = TasksRequest.newBuilder().setQueue("a").build();

  @TempDir private Path directory;
  private final GuardedQueue queue = new GuardedQueue(Facade.V1);
  private final FakeOpa opa = new FakeOpa(input -> result(true));
  private Authorization authorization;

  private static ObjectNode result(boolean isAllowed) {
    return JsonNodeFactory.instance.objectNode().put("allow", isAllowed);
  }

  @BeforeEach
  void open() throws Exception {
    Path keys = Files.writeString(directory.resolve("keys"), TestIssuer.document(TestIssuer.RSA));
    authorization =
        Authorization.of(
            new AuthorizationConfig(
                AuthorizationConfig.Mode.OPAHTTP,
                opa.url(),
                "/v1/data/entroq/authz",
                Duration.ofSeconds(30),
                true,
                false),
            Authentication.of(TestIssuer.config().jwksFile(Optional.of(keys)).build()));
  }

  @AfterEach
  void close() {
    authorization.close();
    opa.close();
    queue.close();
  }

  /** How a call ended: empty if it was answered. */
  private static final class Ending<S> implements Reply<S> {
    private final CompletableFuture<Optional<Refusal>> end = new CompletableFuture<>();

    @Override
    public void position(long position) {}

    @Override
    public void send(S response) {
      end.complete(Optional.empty());
    }

    @Override
    public void fail(Refusal refusal) {
      end.complete(Optional.of(refusal));
    }

    Optional<Status.Code> code() throws Exception {
      return end.get(30, TimeUnit.SECONDS).map(Refusal::code);
    }
  }

  private static Optional<Status.Code> tasks(Service service, CallContext context)
      throws Exception {
    Ending<TasksResponse> ending = new Ending<>();
    Call unused = service.handle(Method.TASKS, context, REQUEST, ending);
    return ending.code();
  }

  @Test
  void shouldAuthorizeAUserWithoutAToken() throws Exception {
    Service service = authorization.guardIdentified(queue.open);
    assertThat(tasks(service, ANN)).isEmpty();
    assertThat(opa.asked.get(0).body().toString()).contains("\"ann\"");
    opa.decide(input -> result(false));
    assertThat(tasks(service, ANN)).contains(Status.Code.PERMISSION_DENIED);
  }

  @Test
  void shouldNotLetAnybodyElseIn() throws Exception {
    Service service = authorization.guardIdentified(queue.open);
    assertThat(tasks(service, ANONYMOUS)).contains(Status.Code.UNAUTHENTICATED);
    assertThat(opa.asked).isEmpty();
  }

  @Test
  void shouldTrustPrincipalsOfThisProcessAlone() throws Exception {
    assertThat(tasks(authorization.guard(queue.open), ANN)).contains(Status.Code.UNAUTHENTICATED);
  }

  @Test
  void shouldAuthorizeOperatorsLikewise() throws Exception {
    Ending<StatusResponse> ann = new Ending<>();
    Call unused =
        authorization
            .guardIdentified(new NoMemberAdmin())
            .status(ANN, StatusRequest.getDefaultInstance(), ann);
    assertThat(ann.code()).contains(Status.Code.FAILED_PRECONDITION);
    Ending<StatusResponse> nobody = new Ending<>();
    unused =
        authorization
            .guardIdentified(new NoMemberAdmin())
            .status(ANONYMOUS, StatusRequest.getDefaultInstance(), nobody);
    assertThat(nobody.code()).contains(Status.Code.UNAUTHENTICATED);
  }
}
