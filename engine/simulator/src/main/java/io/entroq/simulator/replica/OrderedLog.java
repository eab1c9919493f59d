package io.entroq.simulator.replica;

import io.entroq.simulator.fault.FaultKind;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.virtual.Agenda;
import io.entroq.simulator.virtual.Chance;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * The log of a cluster: takes proposals, which may be lost, late or doubled on their way to the
 * leader; puts them in an order, some time later; and keeps them until no member needs them any
 * more. What has a place in it keeps that for ever; what has none yet may be lost with a leader.
 * Times in it never go back, whatever clocks leaders have. One thread.
 */
final class OrderedLog {
  private static final long MICROSECOND = 1_000;
  private static final long MILLISECOND = 1_000_000;
  private static final long WAY_NS_LEAST = 50 * MICROSECOND;
  private static final long WAY_NS_MOST = MILLISECOND;
  private static final long LATE_NS_LEAST = 5 * MILLISECOND;
  private static final long LATE_NS_MOST = 5_000 * MILLISECOND;
  private static final int PROPOSALS_PER_TROUBLE = 500;

  private final Agenda agenda;
  private final Chance ways;
  private final Chance commits;
  private final Chance losses;
  private final Chance delays;
  private final Chance doubles;
  private final Faults faults;
  private final LongSupplier leaderMs;
  private final Consumer<Entry> listener;
  private final ArrayDeque<Entry> waiting = new ArrayDeque<>();
  private final List<Entry> entries = new ArrayList<>();
  private long before;
  private long lastMs;
  private long leaderships;
  private boolean isLed;

  /**
   * An empty log that nobody leads.
   *
   * @param leaderMs what the leader's clock says, in milliseconds since the epoch
   * @param listener hears of each entry that has got its place
   */
  OrderedLog(
      Agenda agenda,
      Chance chance,
      Faults faults,
      LongSupplier leaderMs,
      Consumer<Entry> listener) {
    this.agenda = agenda;
    this.ways = chance.fork("ways");
    this.commits = chance.fork("commits");
    this.losses = chance.fork(FaultKind.PROPOSAL_LOST.label());
    this.delays = chance.fork(FaultKind.PROPOSAL_DELAYED.label());
    this.doubles = chance.fork(FaultKind.PROPOSAL_DOUBLED.label());
    this.faults = faults;
    this.leaderMs = leaderMs;
    this.listener = listener;
  }

  /** A member sends something to the leader, whoever that will be when it arrives. */
  void propose(Entry entry) {
    long wayNs = ways.between(WAY_NS_LEAST, WAY_NS_MOST);
    if (happens(FaultKind.PROPOSAL_LOST, losses)) {
      entry.lose();
      return;
    }
    boolean isLate = happens(FaultKind.PROPOSAL_DELAYED, delays);
    long takesNs = isLate ? delays.between(LATE_NS_LEAST, LATE_NS_MOST) : wayNs;
    agenda.in(takesNs, () -> append(entry));
    if (entry.isRepeatable && happens(FaultKind.PROPOSAL_DOUBLED, doubles)) {
      Entry second = entry.again();
      agenda.in(doubles.between(WAY_NS_LEAST, LATE_NS_MOST), () -> append(second));
    }
  }

  private boolean happens(FaultKind kind, Chance chance) {
    boolean happens = faults.isOn(kind) && chance.oneIn(PROPOSALS_PER_TROUBLE);
    if (happens) {
      faults.count(kind);
    }
    return happens;
  }

  /** The leader takes something in; it is lost if there is no leader. */
  void append(Entry entry) {
    if (!isLed) {
      entry.lose();
      return;
    }
    entry.stamp(leaderMs.getAsLong());
    waiting.add(entry);
    if (waiting.size() == 1) {
      commitSoon();
    }
  }

  private void commitSoon() {
    long leadership = leaderships;
    agenda.in(
        commits.between(WAY_NS_LEAST, 2 * WAY_NS_MOST),
        () -> {
          if (isLed && leadership == leaderships) {
            commitAll();
          }
        });
  }

  private void commitAll() {
    for (Entry entry = waiting.poll(); entry != null; entry = waiting.poll()) {
      entry.commit(last() + 1, lastMs, agenda.nowNs());
      lastMs = entry.timeMs();
      entries.add(entry);
      listener.accept(entry);
    }
  }

  /** Nobody leads any more; of what has no place yet the next leader has the beginning, or none. */
  void interrupt() {
    isLed = false;
    int kept = commits.below(waiting.size() + 1);
    while (waiting.size() > kept) {
      waiting.removeLast().lose();
    }
  }

  /** Somebody leads. */
  void resume() {
    leaderships++;
    isLed = true;
    if (!waiting.isEmpty()) {
      commitSoon();
    }
  }

  /** The newest entry that has its place; 0 if there is none. */
  long last() {
    return before + entries.size();
  }

  /** The oldest entry that is kept, or the next one. */
  long first() {
    return before + 1;
  }

  /** An entry that has its place and is kept. */
  Entry get(long sequence) {
    return entries.get(Math.toIntExact(sequence - before - 1));
  }

  /** Nobody needs what is older any more. */
  void forgetBefore(long sequence) {
    int count = Math.toIntExact(Math.max(0, sequence - before - 1));
    entries.subList(0, count).clear();
    before += count;
  }
}
