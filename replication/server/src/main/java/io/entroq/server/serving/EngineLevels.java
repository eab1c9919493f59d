package io.entroq.server.serving;

import io.entroq.codec.wire.published.admin.LevelResponse;
import io.entroq.codec.wire.published.admin.RaiseLevelResponse;
import io.entroq.codec.wire.published.admin.SupportedLevels;
import io.entroq.engine.embedded.EmbeddedEntroQ;
import io.entroq.engine.state.Levels;
import io.entroq.service.call.Call;
import io.entroq.service.call.Reply;
import io.entroq.service.translation.Refusal;
import io.grpc.Status;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/** Reports and raises the behavior level of a standalone engine. Any thread. */
final class EngineLevels {
  private final EmbeddedEntroQ queue;
  private final AtomicBoolean isRaising = new AtomicBoolean();

  EngineLevels(EmbeddedEntroQ queue) {
    this.queue = queue;
  }

  /** Reports the current level and the levels that the build supports. */
  Call report(Reply<LevelResponse> reply) {
    reply.send(
        LevelResponse.newBuilder()
            .setLevel(queue.level())
            .addSupported(SupportedLevels.newBuilder().setMin(Levels.MIN).setMax(Levels.highest()))
            .build());
    return Call.done();
  }

  /** Raises the level on another thread, since this waits for the log. */
  Call raise(int to, Reply<RaiseLevelResponse> reply) {
    if (isRaising.compareAndSet(false, true)) {
      CompletableFuture<Void> unused = CompletableFuture.runAsync(() -> raiseNow(to, reply));
    } else {
      reply.fail(
          new Refusal(
              Status.Code.RESOURCE_EXHAUSTED, "the behavior level is already being raised"));
    }
    return Call.done();
  }

  private void raiseNow(int to, Reply<RaiseLevelResponse> reply) {
    try {
      int before = queue.level();
      queue.raiseLevel(to);
      reply.send(RaiseLevelResponse.newBuilder().setBefore(before).build());
    } catch (RuntimeException | Error e) {
      // Whatever happens, the caller must get a reply.
      reply.fail(LevelRefusal.of(e, "it is unknown whether the level was raised: " + e));
    } finally {
      isRaising.set(false);
    }
  }
}
