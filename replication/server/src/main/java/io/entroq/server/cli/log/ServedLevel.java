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

/**
 * The behavior level of a running cluster or server.
 *
 * @param address of the server that has answered; in a cluster it has asked all members
 */
record ServedLevel(String address, LevelResponse answer) {
  /** Creates clients. */
  @FunctionalInterface
  interface Asking {
    /** A client for the server at an address. */
    AdminClient of(String address);
  }

  /**
   * Asks the servers one after the other until one answers.
   *
   * @throws CommandException if none does
   */
  static ServedLevel ask(List<String> addresses, Asking asking) {
    List<String> refusals = new ArrayList<>();
    for (String address : addresses) {
      try (AdminClient client = asking.of(address)) {
        ServedLevel answered = new ServedLevel(address, client.level());
        if (answered.level() > 0) {
          return answered;
        }
        refusals.add("the log at %s has no records yet".formatted(address));
      } catch (EntroQException.InvalidArgument
          | EntroQException.Unavailable
          | EntroQException.ResourceExhausted e) {
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
    for (SupportedLevels one : answer.getSupportedList()) {
      if (one.getMin() > 0 && one.getMax() >= one.getMin()) {
        supported.put(one.getMemberId(), new LevelRange(one.getMin(), one.getMax()));
      }
    }
    return new LevelSupport(level(), Math.max(1, answer.getMembers()), supported);
  }

  /** What has the level, as the start of a sentence. */
  String name() {
    return isCluster() ? "The cluster" : "The log at " + address;
  }

  /** A report for people. */
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
  Optional<String> objection(int wanted) {
    Optional<String> objection = support().objection(wanted);
    if (isCluster() || objection.isEmpty()) {
      return objection;
    }
    LevelRange build = support().supported().get(0);
    return Optional.of(
        "Cannot set behavior level %d: the log at %s is at %d, and its build supports %s"
            .formatted(wanted, address, level(), build));
  }

  /**
   * Raises it.
   *
   * @return the level before
   * @throws CommandException if the outcome is unknown
   */
  int raise(int wanted, Asking asking) {
    try (AdminClient client = asking.of(address)) {
      return client.raiseLevel(wanted);
    } catch (EntroQException.OutcomeUnknown e) {
      throw new CommandException(
          "It is unknown whether the level was raised: %s. Run `entroq level` to find out"
              .formatted(e.getMessage()),
          e);
    }
  }
}
