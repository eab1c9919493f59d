package io.entroq.simulator.check;

import java.util.Locale;

/** What must hold in every world, each in one sentence. */
public enum Invariant {
  ACKNOWLEDGED_STAYS("What a reply has shown survives every restart."),
  NO_PHANTOM("Only tasks that were inserted and not yet deleted are ever seen."),
  COMMITTED_ONCE("Each version of a task is committed at most once."),
  VERSIONS_BY_ONE("Each write of a task raises its version by one; nothing else changes it."),
  ONE_LEASE("While a lease lasts, nobody else gets the task."),
  ALL_OR_NONE("A modify happens completely or not at all."),
  DEPENDENCIES_EXACT("A refused modify names exactly the parts that failed."),
  FIRST_ANSWER(
      "A repeated request gets its first answer, for all tasks and docs that have not"
          + " changed since."),
  NOT_BEFORE_ARRIVAL("No task is claimed before its arrival time."),
  TIME_NEVER_BACK("Log time never goes back."),
  NO_GAP("Records are numbered without gaps."),
  CLAIMS_FIND_WORK("A claim takes as many available tasks as it may."),
  CLAIMERS_SERVED(
      "After a step and its ticks, no claim waits while a task that it wants is available."),
  WAITERS_IN_TURN("Of the claims that wait for a queue, the oldest is served first."),
  WAITS_END("A waiting claim is answered by the first tick after its deadline, and not earlier."),
  NOBODY_STARVES(
      "The task that has been available longest is passed over at most 60 times in a row."),
  POISON_DELAYS_ONCE(
      "A task whose lease has expired queues behind all available tasks, so it delays them"
          + " by one claim only."),
  FAIR_CHOICE("Half of the choices in a queue are uniform, and so is every choice among queues."),
  ONE_ANSWER("Each request is answered once, and nothing else is answered."),
  ANSWERS_EXACT(
      "An answer reports exactly what happened: code, position, time, and every task in"
          + " its current state."),
  VALUE_INTACT("A claimed task has the value that was written last, bit for bit."),
  GIVEN_BACK(
      "A claim whose caller has gone is undone: arrival, claimant and claims are as before."),
  STATISTICS_COUNT("Statistics equal a count of the tasks."),
  CALLERS_IN_ORDER(
      "Clients are ordered by when they were last heard from, those with waiting claims first."),
  LISTING_COMPLETE("A listing shows each task of its queue once, in its current state."),
  CONTENT_SUMS_UP("The content digest equals the sum over the content."),
  REPLAY_SAME("A recovered state has the digests that it had at the same record before."),
  DAMAGE_NEVER_SERVED(
      "A damaged directory is refused or recovered completely; wrong data is never served."),
  OPENS_UNDAMAGED("An undamaged directory opens."),
  OPEN_FINDS_END("An engine recovers every record that its durability promised."),
  FORCED_ON_DISK("What an engine reports as forced is on the disk, unless the disk lied."),
  DURABLE_REPLY(
      "With durability disk, a reply leaves only after everything that it shows is forced."),
  QUEUE_LIMIT("No modify makes a queue larger than the limit in its record."),
  DOES_NOT_BREAK("An engine ends only with its process or because its disk failed."),
  MEMORY_BOUNDED("Memory stays within a small multiple of the live data."),
  DISK_BOUNDED("The directory stays within a small multiple of the live data."),
  ALL_ANSWERED("Once faults have stopped, every request is answered and no claim waits."),
  STILL_SERVES("After all faults, a task can be inserted, claimed and deleted within a minute."),
  REPLICAS_AGREE(
      "Members at the same record have the same digests, gave the same answers and told the same"
          + " effects."),
  REPLICAS_CATCH_UP("A running member applies everything in the log within half a minute."),
  MEMBER_SHOWS_ITS_WRITES(
      "A listing from a member shows everything that it has reported to its callers before."),
  MEMBER_ANSWERS("A member answers every call that it has accepted, except claims that wait."),
  LOG_KNOWS_WHAT_HAS_LEFT(
      "The log records within seconds that an answer with tasks has been delivered."),
  POSITION_IS_REACHED("A listing from a given position on shows everything up to that position."),

  // Of policies.
  POLICIES_AS_WRITTEN("A policy has the rules, the pause and the version that were written last."),
  RATE_KEPT("No more tasks start than the rates of a queue and its limiters permit."),
  GATE_OPENS(
      "A claim that waits for a rate or the end of a pause gets its task in the first tick"
          + " after that."),
  PAUSED_GETS_NOTHING(
      "Nothing starts in a queue that is paused, as a prefix or limiter of it may."),
  RESUME_SERVES("A resume gives waiting claims their tasks in its own step."),
  IN_FLIGHT_BOUNDED(
      "No task starts while as many are in flight as a policy or a limiter of its queue permits."),
  IN_FLIGHT_COUNTED(
      "Whether a task is in flight, and how often it has lapsed, follows from its claims and"
          + " changes; queues and limiters count it."),
  SIZE_KEPT("No modify makes a queue larger than its policy permits; the oldest tasks make room."),
  FAILED_GOES_WHERE_POLICY_SAYS(
      "A failed task rests as long as its policy says, and goes to the dead queue in the end."),
  LAPSED_NOT_HANDED_OUT(
      "A task that has lapsed as often as its policy permits goes to the dead queue at once."),
  EXPIRED_NOT_HANDED_OUT("A task is gone in the millisecond in which it expires."),
  ATTRIBUTES_STAY("A change keeps what it does not name: expiry, trace, and where a task died."),
  IN_ORDER(
      "A queue with an order starts its oldest task, and with strict order what failed or lapsed"
          + " before that."),
  POSITION_EXACT(
      "A task that is told to be the k-th in a queue with an order starts k-th, at the time that is"
          + " told, if nothing comes between."),
  IDS_STAY_TAKEN("The id of a task that is gone stays taken as long as the policy says."),

  // Of pools and topics.
  FAIR_AMONG_MEMBERS(
      "A pool starts a task of the member with the fewest in flight for its weight, or with the"
          + " fewest starts, within one start."),
  RANK_FIRST("A pool that chooses by rank starts what ranks highest."),
  EACH_GROUP_ONCE("An insert into a topic makes one task for each of its groups, or none at all."),

  // Of effects.
  FEED_IS_HISTORY(
      "What steps tell of tasks, one after the other, leads to the tasks that there are: nothing is"
          + " left out, told twice or told of a task that is gone. A position of lost steps is"
          + " refused."),
  LIVE_EQUALS_REPLAY("A replay of the log tells of each step what was told live, byte for byte."),
  NOTHING_UNFORCED_SHOWN(
      "The feed shows no step before it is applied, at durability disk none before it is forced,"
          + " and at a member none before it is committed."),
  AS_OF_EQUALS_THEN("The state as of a step, read from the log, is the one of then."),

  // Of docs.
  ONE_HOLDER("While a doc set is held, nobody else claims it or writes to it."),
  CLAIMS_TAKE_WHOLE_SETS(
      "A claim of doc sets takes all of them with all their docs, or none and reports why."),
  SET_VERSIONS_BY_ONE(
      "Each command that writes to a doc set raises its version by one; nothing else changes it."),
  DOCS_AS_WRITTEN("A doc has the keys and the content that were written last, bit for bit."),
  DOCS_AS_THEY_STAND(
      "An answer shows each doc that it concerns in its current state, and no other."),
  DOCS_STAY("An inserted doc exists until it is deleted, and never again after that."),
  DOCS_IN_ORDER("Docs are listed by key, secondary key and id, or in the order of the request."),
  DOCS_LISTED_ONCE("A listing shows each matching doc that does not move once, and no other."),
  NAMESPACES_COUNT("Namespaces equal a count of their docs, and an empty one does not exist."),

  // Of workers.
  WORK_COMMITTED_ONCE("A work item is committed as done at most once."),
  WORK_COUNTED_ONCE("A doc counts each work item that was done in the same step exactly once."),
  ONE_END("A work item ends either as done or in quarantine, never both."),
  WHAT_IS_OVER_STAYS_OVER("No handler gets the task of work that is done or was quarantined."),
  TASKS_COME_TO_AN_END("Every worker task ends before the engine has been healthy for 20 minutes."),
  CLAIMED_TASKS_ARE_WORKED_ON("A task that a commit claimed is worked on or given back."),
  FAILED_WORK_IS_NOT_COMMITTED("Work that cannot succeed is not committed as done."),
  NO_COMMIT_AFTER_LOST_LEASE("Nothing is committed once its lease is known to be lost."),
  COMMITS_WHAT_IT_HOLDS(
      "A worker commits a task as it claimed it, not as others have changed it since."),
  UNREADABLE_NEVER_HANDLED("No handler gets a task whose value cannot be decoded."),
  LEASES_ARE_KEPT("A worker loses a lease only because of a fault."),
  LOST_LEASES_ARE_TOLD("A handler learns that its lease is lost."),
  COMMITS_ARE_TOLD("A worker's listener learns of every commit."),
  COMMITS_ARE_TRIED_AGAIN("A commit without an answer is retried after a pause."),
  UNKNOWN_OUTCOMES_ARE_TOLD("A worker's listener learns of every commit whose outcome is unknown."),
  FAILURES_ARE_COUNTED("Each committed failure raises the attempt of its task."),
  FAILURES_COUNT_ONCE("A task counts no more failures than its handler had runs."),
  FAILED_TASKS_REST("A failed task becomes available only after its back-off."),
  QUARANTINED_AFTER_MAX_ATTEMPTS(
      "A task is quarantined after exactly its maximum number of attempts."),
  QUARANTINED_AFTER_MAX_CLAIMS(
      "A task that is claimed again and again without an end is quarantined."),
  QUARANTINED_FOR_A_REASON("Work that can succeed is not quarantined."),
  REQUESTS_ARE_UNDERSTOOD(
      "The queue decodes every request of its workers, and they decode every reply."),
  WORKERS_GO_ON("No worker is idle for five minutes."),

  // Of the machine.
  WORLD_DOES_NOT_BREAK("No exception is thrown without a fault that explains it."),
  RECORD_SOUND("A record can be decoded when it is written."),
  SNAPSHOT_RESTS_ON_LOG(
      "A snapshot gets its final name only after the log is on the disk up to it."),
  TWO_SNAPSHOTS_KEPT("An engine that has taken two snapshots keeps two."),
  GOOD_SNAPSHOT_USED("An engine starts from the newest good snapshot."),
  FORCED_IS_THERE("What a record, a run or a snapshot reports as forced survives a loss of power."),
  LEAVES_ROOM("Nothing is logged beyond the disk's free-space limits."),
  GOES_ON_WITH_ROOM("Nothing is refused for lack of space once there is space again."),
  REFUSED_FOR_A_REASON("Nothing is refused while there is enough space and memory."),
  LOG_TIME_RUNS("Log time runs at 90 to 110 % of real time, whatever the wall clock does.");

  private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');
  private final String statement;

  Invariant(String statement) {
    this.statement = statement;
  }

  /** The name in kebab case: the rule of a {@link Violation}. */
  public String label() {
    return label;
  }

  /** What must hold, in one sentence. */
  public String statement() {
    return statement;
  }

  /** The exception for a violation. */
  public Violation broken(Object subject, Object expected, Object actual) {
    return new Violation(label, subject, expected, actual);
  }

  public void require(boolean fact, Object subject, Object expected, Object actual) {
    if (!fact) {
      throw broken(subject, expected, actual);
    }
  }
}
