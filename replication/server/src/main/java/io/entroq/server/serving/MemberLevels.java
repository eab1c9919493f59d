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

/** Answers operators who ask for the behaviour level of a cluster. Any thread. */
final class MemberLevels {
  /** How many may ask at a time; each has all members asked. */
  private static final int ASKING_MAX = 8;

  /** Longer than callers wait. */
  private static final long ANSWER_MAX_SECONDS = 30;

  private final ClusterMember member;
  private final Semaphore room = new Semaphore(ASKING_MAX);

  MemberLevels(ClusterMember member) {
    this.member = member;
  }

  /** Says at which it is, and who supports which. */
  Call say(Reply<LevelResponse> reply) {
    return answer(
        member::levels, MemberLevels::response, reply, "the members were not asked in time");
  }

  /** Raises it. */
  Call raise(int to, Reply<RaiseLevelResponse> reply) {
    return answer(
        () -> member.raiseLevel(to),
        found -> RaiseLevelResponse.newBuilder().setBefore(found.level()).build(),
        reply,
        "whether the level was raised is not known");
  }

  private <A> Call answer(
      Supplier<CompletableFuture<LevelSupport>> ask,
      Function<LevelSupport, A> answer,
      Reply<A> reply,
      String otherwise) {
    if (!room.tryAcquire()) {
      reply.fail(Refusal.exhausted(ASKING_MAX + " others are asking for the behaviour level"));
      return Call.done();
    }
    CompletableFuture<LevelSupport> unused =
        asked(ask)
            .orTimeout(ANSWER_MAX_SECONDS, TimeUnit.SECONDS)
            .whenComplete(
                (found, why) -> {
                  room.release();
                  if (why == null) {
                    reply.send(answer.apply(found));
                  } else {
                    reply.fail(LevelRefusal.of(why, otherwise));
                  }
                });
    return Call.done();
  }

  private static CompletableFuture<LevelSupport> asked(
      Supplier<CompletableFuture<LevelSupport>> ask) {
    try {
      return ask.get();
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
