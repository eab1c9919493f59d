package io.entroq.service.queue;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.DocClaim;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.TaskID;
import io.entroq.service.call.Call;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.Reply;
import io.entroq.service.call.Service;
import io.entroq.service.limit.LeaseBounds;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.Refusal;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What passes without a copy. */
class LeaseFilterTest {
  private final Recorder recorder = new Recorder();
  private final Service filter =
      LeaseFilter.before(recorder, LeaseBounds.DEFAULT, new ClampedLeases());

  @Test
  void shouldNotCopyARequestWithinTheBounds() {
    ClaimRequest claim = ClaimRequest.newBuilder().setDurationMs(60_000).build();
    assertPassed(Method.CLAIM, claim);
    assertPassed(Method.TRY_CLAIM, claim);
    assertPassed(Method.MODIFY, ModifyRequest.newBuilder().setThenClaim(claim).build());
    assertPassed(Method.MODIFY, ModifyRequest.getDefaultInstance());
    assertPassed(Method.CLAIM_DOCS, docs(60_000).build());
  }

  /** They end with the task's lease, however long that is. */
  @Test
  void shouldNotBoundAClaimOfDocsForTheLeaseOfATask() {
    for (long durationMs : new long[] {0, 1, Long.MAX_VALUE}) {
      ClaimDocsRequest.Builder claim = docs(durationMs);
      claim.getClaimQueryBuilder().setTaskToMatch(TaskID.newBuilder().setId("t"));
      assertPassed(Method.CLAIM_DOCS, claim.build());
    }
  }

  private static ClaimDocsRequest.Builder docs(long durationMs) {
    return ClaimDocsRequest.newBuilder()
        .setClaimQuery(DocClaim.newBuilder().setDurationMs(durationMs));
  }

  private <Q extends Message, S extends Message> void assertPassed(Method<Q, S> method, Q request) {
    Call unused = filter.handle(method, CallContext.of("test"), request, new Unused<>());
    assertThat(recorder.last).isSameAs(request);
  }

  private static final class Recorder implements Service {
    private Message last;

    @Override
    public Facade facade() {
      return Facade.V1;
    }

    @Override
    public Optional<Refusal> check(Method<?, ?> method, CallContext context, Message request) {
      return Optional.empty();
    }

    @Override
    public <Q extends Message, S extends Message> Call handle(
        Method<Q, S> method, CallContext context, Q request, Reply<S> reply) {
      last = request;
      return Call.done();
    }
  }

  /** Nothing is reported. */
  private static final class Unused<S> implements Reply<S> {
    @Override
    public void position(long position) {
      throw new AssertionError();
    }

    @Override
    public void metadata(String name, String value) {
      throw new AssertionError(name);
    }

    @Override
    public void send(S response) {
      throw new AssertionError();
    }

    @Override
    public void fail(Refusal refusal) {
      throw new AssertionError(refusal);
    }
  }
}
