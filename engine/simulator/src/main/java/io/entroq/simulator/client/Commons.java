package io.entroq.simulator.client;

import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.call.LogTime;
import io.entroq.simulator.fault.Faults;
import io.entroq.simulator.network.Network;
import io.entroq.simulator.virtual.Agenda;
import io.entroq.simulator.virtual.Chance;
import io.entroq.simulator.virtual.Trace;

/** What the clients of one world have in common. */
final class Commons {
  /** For so long after a loss late messages may still speak of what was lost. */
  private static final long QUIET_NS = 120_000_000_000L;

  /** By then all has arrived that was to arrive later. */
  private static final long EBB_NS_MIN = (Producer.LATER_MS_MAX + 30_000) * 1_000_000;

  private static final long NEVER = -1;

  final PopulationConfig config;
  final Agenda agenda;
  final Faults faults;
  final Network network;
  final Trace trace;
  final Tide tide;
  final Figures figures = new Figures();
  final Queues queues = new Queues();
  final Values values = new Values();
  final Sightings sightings = new Sightings();
  final ResultDecoder result = new ResultDecoder();
  final LogTime logTime;
  final Timeouts timeouts;
  final TaskIds ids;
  final Checks checks;
  final Draft draft;
  final Contents contents;
  final Asked asked = new Asked();
  final Shelves shelves = new Shelves();
  final DocDraft docDraft = new DocDraft(shelves);
  final DocContents docContents;
  final DocChecks docChecks = new DocChecks(this);
  private long serials;
  private long writes;
  private long lossNs = NEVER;
  private long openedNs = NEVER;

  Commons(
      PopulationConfig config,
      Agenda agenda,
      Chance chance,
      Faults faults,
      Network network,
      Trace trace) {
    this.config = config;
    this.agenda = agenda;
    this.faults = faults;
    this.network = network;
    this.trace = trace;
    logTime = new LogTime(agenda, config.startMs());
    timeouts = new Timeouts(agenda);
    tide = new Tide(agenda, chance.fork("tide"), config.openTasksMax(), EBB_NS_MIN);
    ids = new TaskIds(chance.fork("ids"));
    checks = new Checks(this);
    draft = new Draft(this);
    contents = new Contents(this);
    docContents = new DocContents(this, chance.fork("ids of docs"));
  }

  long nextSerial() {
    return ++serials;
  }

  /** The number of one more write. */
  long nextWrite() {
    return ++writes;
  }

  /** A commit was done: whatever it deletes is gone. */
  void noteDeleted(Call commit) {
    if (commit.deletes == 0 || isQuiet()) {
      return;
    }
    for (Known task : commit.tasks) {
      sightings.deleted(task);
    }
  }

  /** The engine has lost something that it was allowed to lose. */
  void lost() {
    lossNs = agenda.nowNs();
    sightings.clear();
    shelves.clear();
    logTime.lost();
  }

  /** An engine has been opened, so that unheard claims were given back. */
  void opened() {
    openedNs = agenda.nowNs();
  }

  /** Whether something was ever lost. */
  boolean hasLost() {
    return lossNs != NEVER;
  }

  /** Whether something was lost so lately that answers may contradict each other. */
  boolean isQuiet() {
    return lossNs != NEVER && agenda.nowNs() < lossNs + QUIET_NS;
  }

  /** Whether what was known at that time may have been lost since. */
  boolean mayBeLost(long sinceNs) {
    return lossNs != NEVER && sinceNs <= lossNs;
  }

  /** Whether a claim that was sent at that time may have been given back since. */
  boolean mayBeGivenBack(long sinceNs) {
    return openedNs != NEVER && sinceNs <= openedNs;
  }
}
