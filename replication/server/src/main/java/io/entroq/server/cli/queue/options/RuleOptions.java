package io.entroq.server.cli.queue.options;

import io.entroq.server.cli.queue.rules.RuleTexts;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The rules of a policy. */
public final class RuleOptions {
  @Mixin private RateOptions rate;

  @Option(
      names = "--limiter",
      paramLabel = "NAME",
      description = "Limiter that the queue shares; repeatable, up to 4.")
  private List<String> limiters = List.of();

  @Option(
      names = "--retry-base",
      paramLabel = "TIME",
      description = "Rest of a task after its first failure; needs --retry-max.")
  private String retryBase;

  @Option(
      names = "--retry-max",
      paramLabel = "TIME",
      description = "Longest rest of a failed task.")
  private String retryMax;

  @Option(
      names = "--retry-factor",
      paramLabel = "N",
      description = "How many times as long each further rest is. Default: 2.")
  private String retryFactor;

  @Option(
      names = "--retry-jitter",
      paramLabel = "N",
      description = "Largest share of a rest that is left out at random. Default: 0.2.")
  private String retryJitter;

  @Option(
      names = "--attempts",
      paramLabel = "N",
      description = "Failures after which a task goes to the dead queue; 0: never.")
  private String attempts;

  @Option(
      names = "--lapses",
      paramLabel = "N",
      description = "Ended leases after which a task goes to the dead queue; 0: never.")
  private String lapses;

  @Option(
      names = "--dead-queue",
      paramLabel = "QUEUE",
      description = "Where dead tasks go. Default: the queue's name plus /err.")
  private String deadQueue;

  @Option(
      names = "--breaker-failures",
      paramLabel = "N",
      description = "Failures in a row that pause the queue; needs --breaker-pause.")
  private String breakerFailures;

  @Option(
      names = "--breaker-pause",
      paramLabel = "TIME",
      description = "For how long they pause it.")
  private String breakerPause;

  @Option(
      names = "--ttl",
      paramLabel = "TIME",
      description = "When a task expires after its insert, unless the insert says so.")
  private String ttl;

  @Option(
      names = "--expired-queue",
      paramLabel = "QUEUE",
      description = "Where expired tasks go. Default: they are deleted.")
  private String expiredQueue;

  @Option(
      names = "--max-tasks",
      paramLabel = "N",
      description = "Tasks that the queue may have; 0: no limit.")
  private String maxTasks;

  @Option(
      names = "--max-bytes",
      paramLabel = "N",
      description = "Bytes of values and errors that it may have; 0: no limit.")
  private String maxBytes;

  @Option(
      names = "--overflow",
      paramLabel = "CHOICE",
      description = "What an insert into a full queue does: refuse or drop-oldest.")
  private String overflow;

  @Option(
      names = "--order",
      paramLabel = "CHOICE",
      description = "Which ready task starts next: coin, oldest or strict.")
  private String order;

  @Option(
      names = "--remember-ids",
      paramLabel = "TIME",
      description = "How long ids stay taken after their tasks have left the queue.")
  private String rememberIds;

  @Option(
      names = "--pool",
      paramLabel = "CHOICE",
      description =
          "Makes it a pool of its QUEUE/KEY queues: least-in-flight, round-robin or"
              + " strict-rank.")
  private String pool;

  @Option(
      names = "--pool-depth",
      paramLabel = "N",
      description = "How many levels of members are pools, up to 3. Default: 1.")
  private String poolDepth;

  @Option(
      names = "--pool-in-flight",
      paramLabel = "N",
      description = "Tasks of all members that may be in flight at once; 0: no limit.")
  private String poolInFlight;

  @Option(
      names = "--pool-rate",
      paramLabel = "N/TIME",
      description = "Start at most so many tasks of all members in each time.")
  private String poolRate;

  @Option(
      names = "--pool-burst",
      paramLabel = "N",
      description = "Tasks of all members that may start at once. Default: 1.")
  private String poolBurst;

  @Option(
      names = "--weight",
      paramLabel = "N",
      description = "Share of the queue in its pool, 1 to 1024. Default: 1.")
  private String weight;

  @Option(
      names = "--rank",
      paramLabel = "N",
      description = "Rank of the queue in a strict-rank pool; the highest goes first. Default: 0.")
  private String rank;

  @Option(
      names = "--group",
      paramLabel = "NAME",
      description =
          "Makes it a topic: an insert makes one task in QUEUE/NAME for each group; repeatable, up"
              + " to 100.")
  private List<String> groups = List.of();

  /** The given rules by key. */
  public Map<String, List<String>> texts() {
    Map<String, List<String>> texts = rate.texts();
    if (!limiters.isEmpty()) {
      texts.put(RuleTexts.LIMITERS, limiters);
    }
    RateOptions.put(texts, "retry-base", retryBase);
    RateOptions.put(texts, "retry-max", retryMax);
    RateOptions.put(texts, "retry-factor", retryFactor);
    RateOptions.put(texts, "retry-jitter", retryJitter);
    RateOptions.put(texts, "attempts", attempts);
    RateOptions.put(texts, "lapses", lapses);
    RateOptions.put(texts, "dead-queue", deadQueue);
    RateOptions.put(texts, "breaker-failures", breakerFailures);
    RateOptions.put(texts, "breaker-pause", breakerPause);
    RateOptions.put(texts, "ttl", ttl);
    RateOptions.put(texts, "expired-queue", expiredQueue);
    RateOptions.put(texts, "max-tasks", maxTasks);
    RateOptions.put(texts, "max-bytes", maxBytes);
    RateOptions.put(texts, "overflow", overflow);
    RateOptions.put(texts, "order", order);
    RateOptions.put(texts, "remember-ids", rememberIds);
    RateOptions.put(texts, "pool", pool);
    RateOptions.put(texts, "pool-depth", poolDepth);
    RateOptions.put(texts, "pool-in-flight", poolInFlight);
    RateOptions.put(texts, "pool-rate", poolRate);
    RateOptions.put(texts, "pool-burst", poolBurst);
    RateOptions.put(texts, "weight", weight);
    RateOptions.put(texts, "rank", rank);
    if (!groups.isEmpty()) {
      texts.put(RuleTexts.GROUPS, groups);
    }
    return texts;
  }
}
