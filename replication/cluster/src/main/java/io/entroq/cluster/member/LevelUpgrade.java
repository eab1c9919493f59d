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

/** Raises the behavior level if all members support the new one. */
final class LevelUpgrade {
  private static final int HEARTBEATS = 5;

  /** Callers do not wait much longer themselves. */
  private static final Duration TIMEOUT_MAX = Duration.ofSeconds(3);

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
    // Its own answer comes through the log, so the level is current when the survey completes.
    return survey
        .run(timeout())
        .thenApply(found -> new LevelSupport(service.level(), config.members().size(), found));
  }

  /** A member that follows its leader answers at once, unless a snapshot delays it. */
  private Duration timeout() {
    Duration timeout = config.liveness().heartbeatTimeout().multipliedBy(HEARTBEATS);
    return timeout.compareTo(TIMEOUT_MAX) < 0 ? timeout : TIMEOUT_MAX;
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
          new EntroQException.Unavailable("the cluster has not started yet"));
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

  /** Succeeds if another caller has raised the level to the same one meanwhile. */
  private CompletableFuture<LevelSupport> unlessRaised(Throwable why, LevelSupport found, int to) {
    return why.getCause() instanceof EntroQException.InvalidArgument
        ? service
            .query(StateMachine::level)
            .thenCompose(
                level ->
                    level == to
                        ? CompletableFuture.completedFuture(found)
                        : CompletableFuture.failedFuture(why))
        : CompletableFuture.failedFuture(why);
  }
}
