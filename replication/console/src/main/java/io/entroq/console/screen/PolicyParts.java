package io.entroq.console.screen;

import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.codec.wire.edge.QueueStats;
import io.entroq.console.action.PolicyFields;
import io.entroq.console.action.PolicyTarget;
import io.entroq.console.action.PolicyUse;
import io.entroq.console.read.Visit;
import io.entroq.console.user.Role;
import io.entroq.console.value.TimeText;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Link;
import io.entroq.console.view.Part;
import io.entroq.console.view.Part.Column;
import io.entroq.console.view.Part.Fact;
import io.entroq.console.web.Places;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** The policy that applies to a queue, and what it refers to. */
final class PolicyParts {
  private static final int PREFIXES_MAX = PolicyUse.ENTRIES_MAX;
  private static final int POOL_LEVELS_MAX = 3;
  private static final String DEAD_SUFFIX = "/err";

  private PolicyParts() {}

  /** The policy, its limiters and the groups of a topic. */
  static List<Part> of(Visit visit, String queue, long nowMs) {
    Optional<PolicyState> own =
        visit.reads().policy(PolicyKind.POLICY_QUEUE, queue).filter(PolicyState::getHasRules);
    Optional<PolicyState> applied = own.or(() -> byPrefix(visit, queue));
    if (applied.isEmpty()) {
      return List.of(
          Part.Note.of(
              Part.Tone.NOTE,
              "No policy applies to the queue: no rate, no retries by the server, and no dead"
                  + " queue."));
    }
    Policy policy = applied.get().getPolicy();
    List<Part> parts = new ArrayList<>();
    parts.add(
        rules(
            own.isPresent()
                ? "Policy of the queue, version " + applied.get().getVersion()
                : "Policy of all queues whose names begin with " + policy.getName(),
            policy));
    if (own.isEmpty()) {
      PolicyTarget prefix = PolicyTarget.of(applied.get());
      parts.add(new Part.Links("", List.of(new Link("The policy of the prefix", prefix.url()))));
    } else if (visit.may(Role.ADMIN)) {
      parts.add(
          new Part.Links(
              "",
              List.of(new Link("Remove the policy", Places.action("drop-policy", "name", queue)))));
    }
    if (policy.getLimitersCount() > 0) {
      parts.add(limiters(visit, policy.getLimitersList(), nowMs));
    }
    if (policy.getGroupsCount() > 0) {
      parts.add(groups(visit, queue, policy.getGroupsList()));
    }
    return parts;
  }

  /** All rules of a policy. */
  static Part rules(String title, Policy policy) {
    List<Fact> facts = new ArrayList<>();
    PolicyFields.texts(policy)
        .forEach((rule, text) -> facts.add(new Fact(PolicyFields.label(rule), Cell.of(text))));
    return new Part.Facts(title, facts);
  }

  /** The policy of the longest prefix of the name. */
  private static Optional<PolicyState> byPrefix(Visit visit, String queue) {
    return prefixes(visit, queue)
        .filter(PolicyState::getHasRules)
        .max(Comparator.comparingInt(each -> each.getPolicy().getName().length()));
  }

  /** What applies by prefix; nothing does to queues for dead tasks. */
  private static Stream<PolicyState> prefixes(Visit visit, String queue) {
    return queue.endsWith(DEAD_SUFFIX)
        ? Stream.of()
        : visit.reads().policies(PolicyKind.POLICY_PREFIX, PREFIXES_MAX).stream()
            .filter(each -> queue.startsWith(each.getPolicy().getName()));
  }

  /**
   * Pools to which a queue belongs, and pauses that are not its own.
   *
   * @param mayBePaused whether anything may pause the queue, pools excepted
   */
  static List<Part> above(Visit visit, String queue, boolean mayBePaused) {
    List<Part> parts = new ArrayList<>();
    if (mayBePaused) {
      prefixes(visit, queue)
          .filter(each -> each.getPausedUntilMs() != 0)
          .map(PolicyTarget::of)
          .forEach(
              prefix ->
                  parts.add(
                      new Part.Note(
                          Part.Tone.NOTE,
                          "All queues whose names begin with %s are paused."
                              .formatted(prefix.name()),
                          List.of(new Link("See the prefix", prefix.url())))));
    }
    String name = queue;
    for (int level = 1; level <= POOL_LEVELS_MAX; level++) {
      name = name.substring(0, Math.max(0, name.lastIndexOf('/')));
      int depth = level;
      if (name.isEmpty() || queue.endsWith(DEAD_SUFFIX)) {
        break;
      }
      visit
          .reads()
          .policy(PolicyKind.POLICY_QUEUE, name)
          .filter(entry -> PolicyTarget.isPool(entry.getPolicy()))
          .filter(entry -> Math.max(1, entry.getPolicy().getPoolDepth()) >= depth)
          .ifPresent(pool -> parts.add(ofPool(pool)));
    }
    return parts;
  }

  private static Part ofPool(PolicyState pool) {
    PolicyTarget target = PolicyTarget.of(pool);
    return new Part.Note(
        pool.getPausedUntilMs() == 0 ? Part.Tone.NOTE : Part.Tone.PROBLEM,
        "The queue belongs to the pool %s%s."
            .formatted(target.name(), pool.getPausedUntilMs() == 0 ? "" : ", which is paused"),
        List.of(new Link("See the pool", target.url())));
  }

  /** The rate of a policy, for people. */
  static String rate(Policy rules) {
    return rules.getRateLimit() == 0
        ? "no rate"
        : "%,d in %s".formatted(rules.getRateLimit(), TimeText.duration(rules.getRatePeriodMs()));
  }

  private static Part limiters(Visit visit, List<String> names, long nowMs) {
    List<List<Cell>> rows = new ArrayList<>();
    for (String name : names) {
      PolicyState limiter =
          visit
              .reads()
              .policy(PolicyKind.POLICY_LIMITER, name)
              .orElse(PolicyState.getDefaultInstance());
      Policy rules = limiter.getPolicy();
      rows.add(
          List.of(
              Cell.link(name, new PolicyTarget(PolicyKind.POLICY_LIMITER, name).url()),
              Cell.of(rate(rules)),
              Cell.of(limiter.getInFlight())
                  .noted(
                      rules.getInFlightMax() == 0
                          ? ""
                          : "of at most %,d".formatted(rules.getInFlightMax())),
              Cell.of(
                  limiter.getPausedUntilMs() != 0
                      ? "paused"
                      : limiter.getNextStartMs() <= nowMs
                          ? "now"
                          : TimeText.relative(limiter.getNextStartMs(), nowMs))));
    }
    return new Part.Table(
        "Limiters that it shares with other queues",
        List.of(
            Column.of("Limiter"),
            Column.of("Rate"),
            Column.number("In flight"),
            Column.of("Next start")),
        rows,
        "It has none.");
  }

  private static Part groups(Visit visit, String topic, List<String> groups) {
    List<List<Cell>> rows = new ArrayList<>();
    List<String> queues = groups.stream().map(group -> topic + "/" + group).toList();
    for (QueueStats stats : visit.reads().stats(queues)) {
      rows.add(
          List.of(
              Cell.link(stats.getName(), Places.queue(stats.getName())),
              Cell.of(stats.getNumTasks()),
              Cell.of(stats.getInFlight()),
              Cell.of(
                  stats.hasOldestAvailableMs()
                      ? TimeText.duration(stats.getOldestAvailableMs())
                      : "")));
    }
    return new Part.Table(
        "Groups: each gets a copy of what is inserted here",
        List.of(
            Column.of("Queue of the group"),
            Column.number("Tasks to do"),
            Column.number("In flight"),
            Column.of("Oldest has waited")),
        rows,
        "No group has tasks to do.");
  }
}
