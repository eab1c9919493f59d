package io.entroq.console.action;

import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.codec.wire.edge.QueueFigures;
import io.entroq.codec.wire.edge.SearchQueuesRequest;
import io.entroq.console.read.Visit;
import io.entroq.console.view.Cell;
import io.entroq.console.view.Link;
import io.entroq.console.web.PageUrls;
import io.entroq.service.call.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What uses policies and limiters. Reads at most 1,000 of each kind. */
public final class PolicyUse {
  /** The most entries of a kind that are read. */
  public static final int ENTRIES_MAX = 1_000;

  private static final int NAMED_MAX = 5;

  private final Visit visit;

  /** Null before somebody needs them. */
  private List<PolicyState> sharing;

  public PolicyUse(Visit visit) {
    this.visit = visit;
  }

  /** Entries of a kind whose names begin with a text, by name. */
  public List<PolicyState> entries(PolicyKind kind, String prefix) {
    return visit.reads().policies(kind, prefix, ENTRIES_MAX).stream()
        .sorted(Comparator.comparing(entry -> entry.getPolicy().getName()))
        .toList();
  }

  /** Policies that name limiters. */
  private List<PolicyState> sharing() {
    if (sharing == null) {
      sharing = new ArrayList<>();
      for (PolicyKind kind : List.of(PolicyKind.POLICY_QUEUE, PolicyKind.POLICY_PREFIX)) {
        entries(kind, "").stream()
            .filter(entry -> entry.getPolicy().getLimitersCount() > 0)
            .forEach(sharing::add);
      }
    }
    return sharing;
  }

  /** The policies that name a limiter. */
  public List<PolicyTarget> ofLimiter(String limiter) {
    return sharing().stream()
        .filter(entry -> entry.getPolicy().getLimitersList().contains(limiter))
        .map(PolicyTarget::of)
        .toList();
  }

  /** How many queues have names that begin with a prefix. */
  long ofPrefix(String prefix) {
    return visit
        .reads()
        .ask(
            Method.SEARCH_QUEUES,
            SearchQueuesRequest.newBuilder().setPrefix(prefix).setLimit(1).build())
        .getMatched();
  }

  /** A pool with the sums over its members; empty if there is no such queue. */
  Optional<QueueFigures> pool(String name) {
    return visit
        .reads()
        .ask(
            Method.SEARCH_QUEUES,
            SearchQueuesRequest.newBuilder().addName(name).setFold(true).build())
        .getQueuesList()
        .stream()
        .findFirst();
  }

  private long members(String pool) {
    return pool(pool).map(QueueFigures::getMembers).orElse(0L);
  }

  /** What uses an entry, with a link to it; of a queue that is no pool, 0 queues below it. */
  public Cell cell(PolicyTarget target) {
    return switch (target.kind()) {
      case POLICY_PREFIX ->
          Cell.link(
              count(ofPrefix(target.name()), "queue begins with it", "queues begin with it"),
              PageUrls.to("/queues", "q", target.name()));
      case POLICY_LIMITER -> limiterCell(target);
      case POLICY_QUEUE, UNRECOGNIZED ->
          Cell.link(
              count(members(target.name()), "queue below it", "queues below it"),
              PageUrls.to("/queues", "pool", target.name()));
    };
  }

  private Cell limiterCell(PolicyTarget limiter) {
    List<PolicyTarget> users = ofLimiter(limiter.name());
    return users.isEmpty()
        ? Cell.of("nothing")
        : Cell.link(words(users), users.size() == 1 ? users.get(0).url() : limiter.url());
  }

  /** Some of the names. */
  private static String words(List<PolicyTarget> users) {
    String named =
        String.join(", ", users.stream().limit(NAMED_MAX).map(PolicyTarget::toString).toList());
    int more = users.size() - NAMED_MAX;
    return more > 0 ? "%s and %,d more".formatted(named, more) : named;
  }

  static String count(long number, String one, String many) {
    return "%,d %s".formatted(number, number == 1 ? one : many);
  }

  /** What an action on an entry reaches: a sentence about it. */
  String reach(PolicyTarget target, boolean isPool) {
    return switch (target.kind()) {
      case POLICY_PREFIX ->
          "The names of %s with %s; those for dead tasks are left out."
              .formatted(
                  count(ofPrefix(target.name()), "queue begins", "queues begin"), target.name());
      case POLICY_LIMITER -> {
        List<PolicyTarget> users = ofLimiter(target.name());
        yield users.isEmpty()
            ? "No policy names the limiter."
            : "The limiter is shared by the queues of these policies: %s.".formatted(words(users));
      }
      case POLICY_QUEUE, UNRECOGNIZED ->
          isPool
              ? "The pool has %s below it."
                  .formatted(count(members(target.name()), "queue", "queues"))
              : "";
    };
  }

  /** The links to what uses a limiter. */
  public List<Link> links(String limiter) {
    return ofLimiter(limiter).stream().map(user -> new Link(user.toString(), user.url())).toList();
  }
}
