package io.entroq.cluster.member;

import io.entroq.api.EntroQException;
import io.entroq.cluster.level.LevelSupport;
import io.entroq.cluster.level.LevelSurvey;
import io.entroq.cluster.service.QueueService;
import io.entroq.engine.replica.ReplicatedEngine;
import io.entroq.engine.state.StateMachine;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Raises the behaviour level once all members have said that they support the new one. */
final class LevelUpgrade {
  private static final int HEARTBEATS = 5;

  /** Whoever asks has not much more patience himself. */
  private static final Duration PATIENCE_MAX = Duration.ofSeconds(3);

  private final MemberConfig config;
  private final QueueService service;
  private final ReplicatedEngine engine;
  private final LevelSurvey survey;

  LevelUpgrade(
      MemberConfig config, QueueService service, ReplicatedEngine engine, LevelSurvey survey) {
    this.config = config;
    this.service = service;
    this.engine = engine;
    this.survey = survey;
  }

  /** See {@link ClusterMember#levels}. */
  CompletableFuture<LevelSupport> support() {
    // Behind its own answer the member has applied all that was there when it was asked.
    return survey
        .take(timeout())
        .thenApply(said -> new LevelSupport(service.level(), config.members().size(), said));
  }

  /** A member that follows its leader answers at once, if no snapshot holds it up. */
  private Duration timeout() {
    Duration timeouts = config.liveness().heartbeatTimeout().multipliedBy(HEARTBEATS);
    return timeouts.compareTo(PATIENCE_MAX) < 0 ? timeouts : PATIENCE_MAX;
  }

  /** See {@link ClusterMember#raiseLevel}. */
  CompletableFuture<LevelSupport> raise(int to) {
    return support().thenComposeAsync(found -> raise(found, to));
  }

  private CompletableFuture<LevelSupport> raise(LevelSupport found, int to) {
    if (found.level() == to) {
      return CompletableFuture.completedFuture(found);
    }
    if (found.level() == 0) {
      return CompletableFuture.failedFuture(
          new EntroQException.Unavailable("the cluster has not begun yet"));
    }
    Optional<String> objection = found.objection(to);
    if (objection.isPresent()) {
      return CompletableFuture.failedFuture(new EntroQException.InvalidArgument(objection.get()));
    }
    return engine
        .raiseLevel(to, found.level())
        .thenApply(raised -> found)
        .exceptionallyCompose(why -> unlessRaised(why, found, to));
  }

  /** Another one may have raised it meanwhile, and to what was wanted: then all is well. */
  private CompletableFuture<LevelSupport> unlessRaised(Throwable why, LevelSupport found, int to) {
    return why.getCause() instanceof EntroQException.InvalidArgument
        ? service
            .ask(StateMachine::level)
            .thenCompose(
                level ->
                    level == to
                        ? CompletableFuture.completedFuture(found)
                        : CompletableFuture.failedFuture(why))
        : CompletableFuture.failedFuture(why);
  }
}
