package io.entroq.server.cli.log;

import io.entroq.api.EntroQException;
import io.entroq.client.AdminClient;
import io.entroq.cluster.level.LevelRange;
import io.entroq.cluster.level.LevelSupport;
import io.entroq.codec.wire.published.admin.LevelResponse;
import io.entroq.codec.wire.published.admin.SupportedLevels;
import io.entroq.tools.terminal.CommandException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * The behavior level of a running cluster or server.
 *
 * @param address the server that has answered; in a cluster it asks all members
 */
record ServedLevel(String address, LevelResponse answer) {
  /**
   * Returns the first answer of the servers, which are asked in turn.
   *
   * @param connect creates a client for an address
   * @throws CommandException if none answers
   */
  static ServedLevel fetch(List<String> addresses, Function<String, AdminClient> connect) {
    List<String> refusals = new ArrayList<>();
    for (String address : addresses) {
      try (AdminClient client = connect.apply(address)) {
        ServedLevel served = new ServedLevel(address, client.level());
        if (served.level() > 0) {
          return served;
        }
        refusals.add("the log at %s has no records yet".formatted(address));
      } catch (EntroQException.InvalidArgument | EntroQException.Unavailable e) {
        refusals.add(e.getMessage());
      }
    }
    throw new CommandException(String.join("; ", refusals));
  }

  int level() {
    return answer.getLevel();
  }

  private boolean isCluster() {
    return answer.getMembers() > 0;
  }

  private LevelSupport support() {
    SortedMap<Integer, LevelRange> supported = new TreeMap<>();
    for (SupportedLevels levels : answer.getSupportedList()) {
      if (levels.getMin() > 0 && levels.getMax() >= levels.getMin()) {
        supported.put(levels.getMemberId(), new LevelRange(levels.getMin(), levels.getMax()));
      }
    }
    return new LevelSupport(level(), Math.max(1, answer.getMembers()), supported);
  }

  /** The cluster or the log, as the start of a sentence. */
  String name() {
    return isCluster() ? "The cluster" : "The log at " + address;
  }

  /** A human-readable report. */
  List<String> lines() {
    LevelSupport support = support();
    List<String> lines = new ArrayList<>();
    lines.add("%s is at behavior level %d; %s.".formatted(name(), level(), outlook(support)));
    if (isCluster()) {
      support
          .supported()
          .forEach((member, range) -> lines.add("Member %d supports %s.".formatted(member, range)));
      for (int member : support.silent()) {
        lines.add(
            "Member %d has not reported its levels: %s.".formatted(member, LevelSupport.SILENCE));
      }
    }
    return lines;
  }

  private String outlook(LevelSupport support) {
    if (!support.silent().isEmpty()) {
      return "it cannot be raised until all members report their levels";
    }
    int highest = support.supported().values().stream().mapToInt(LevelRange::max).min().orElse(0);
    String supported = isCluster() ? "all members support" : "its build supports";
    return highest > level()
        ? "%s up to %d; --raise raises it".formatted(supported, highest)
        : "%s up to %d".formatted(supported, highest);
  }

  /** Why the level cannot be raised; empty if it can. */
  Optional<String> objection(int requested) {
    Optional<String> objection = support().objection(requested);
    if (isCluster() || objection.isEmpty()) {
      return objection;
    }
    LevelRange build = support().supported().get(0);
    return Optional.of(
        "Cannot set behavior level %d: the log at %s is at %d, and its build supports %s"
            .formatted(requested, address, level(), build));
  }

  /**
   * Raises the level.
   *
   * @return the previous level
   * @throws CommandException if the outcome is unknown
   */
  int raise(int requested, Function<String, AdminClient> connect) {
    try (AdminClient client = connect.apply(address)) {
      return client.raiseLevel(requested);
    } catch (EntroQException.OutcomeUnknown e) {
      throw new CommandException(
          "It is unknown whether the level was raised: %s. Run `entroq level` to find out"
              .formatted(e.getMessage()),
          e);
    }
  }
}
