package io.entroq.server.serving;

import io.entroq.api.EntroQException;
import io.entroq.cluster.level.LevelRange;
import io.entroq.cluster.level.LevelSupport;
import io.entroq.cluster.member.ClusterMember;
import io.entroq.codec.wire.published.admin.LevelResponse;
import io.entroq.codec.wire.published.admin.RaiseLevelResponse;
import io.entroq.codec.wire.published.admin.SupportedLevels;
import io.entroq.service.call.Call;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;

/** Reports and raises the behavior level of a cluster. Any thread. */
final class MemberLevels {
  /** Concurrent requests; each queries all members. */
  private static final int REQUESTS_MAX = 8;

  /** Longer than callers wait. */
  private static final long ANSWER_MAX_SECONDS = 30;

  private final ClusterMember member;
  private final Semaphore permits = new Semaphore(REQUESTS_MAX);

  MemberLevels(ClusterMember member) {
    this.member = member;
  }

  /** Reports the current level and the levels that each member supports. */
  Call report(Reply<LevelResponse> reply) {
    return answer(
        member::levels, MemberLevels::response, reply, "the members did not answer in time");
  }

  Call raise(int to, Reply<RaiseLevelResponse> reply) {
    return answer(
        () -> member.raiseLevel(to),
        found -> RaiseLevelResponse.newBuilder().setBefore(found.level()).build(),
        reply,
        "it is unknown whether the level was raised");
  }

  private <A> Call answer(
      Supplier<CompletableFuture<LevelSupport>> request,
      Function<LevelSupport, A> answer,
      Reply<A> reply,
      String fallback) {
    if (!permits.tryAcquire()) {
      reply.fail(
          Refusal.exhausted(
              REQUESTS_MAX + " other requests for the behavior level are running; try again"));
      return Call.done();
    }
    CompletableFuture<LevelSupport> unused =
        query(request)
            .orTimeout(ANSWER_MAX_SECONDS, TimeUnit.SECONDS)
            .whenComplete(
                (found, failure) -> {
                  permits.release();
                  if (failure == null) {
                    reply.send(answer.apply(found));
                  } else {
                    reply.fail(LevelRefusal.of(failure, fallback));
                  }
                });
    return Call.done();
  }

  private static CompletableFuture<LevelSupport> query(
      Supplier<CompletableFuture<LevelSupport>> request) {
    try {
      return request.get();
    } catch (IllegalStateException e) {
      return CompletableFuture.failedFuture(new EntroQException.Closed("the member has ended", e));
    }
  }

  private static LevelResponse response(LevelSupport found) {
    LevelResponse.Builder response =
        LevelResponse.newBuilder().setLevel(found.level()).setMembers(found.members());
    found.supported().forEach((id, range) -> response.addSupported(supported(id, range)));
    return response.build();
  }

  private static SupportedLevels supported(int id, LevelRange range) {
    return SupportedLevels.newBuilder()
        .setMemberId(id)
        .setMin(range.min())
        .setMax(range.max())
        .build();
  }
}
