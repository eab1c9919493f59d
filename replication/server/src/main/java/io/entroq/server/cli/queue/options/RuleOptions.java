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
    return texts;
  }
}
