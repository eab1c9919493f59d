package io.entroq.simulator.check;

import java.util.Locale;

/** What must hold in every world, each in one sentence. */
public enum Invariant {
  ACKNOWLEDGED_STAYS("What a reply has shown is still there after every restart."),
  NO_PHANTOM("Only tasks that were inserted, and not deleted since, are ever seen."),
  COMMITTED_ONCE("One version of one inserted task is committed once at most."),
  VERSIONS_BY_ONE("Each write of a task raises its version by one, and nothing else does."),
  ONE_LEASE("Between a claim and its expiry nobody else gets the task."),
  ALL_OR_NONE("All parts of a modify happen, or none."),
  DEPENDENCIES_EXACT("A modify is refused for exactly those parts that fail, and says which."),
  FIRST_ANSWER(
      "A repeated request gets the first answer, as far as its tasks and docs still stand."),
  NOT_BEFORE_ARRIVAL("Nothing is claimed before its arrival time."),
  TIME_NEVER_BACK("Log time never goes back."),
  NO_GAP("Records are numbered one after the other."),
  CLAIMS_FIND_WORK("A claim gets tasks if any of its queues has some, as many as it may."),
  CLAIMERS_SERVED("When a step and its ticks are over, no claim waits beside an available task."),
  WAITERS_IN_TURN("Of the claims that wait for a queue the oldest is served first."),
  WAITS_END("A claim that waits is answered by the first tick after its deadline, and not before."),
  NOBODY_STARVES("The longest available task of a queue is passed over 60 times in a row at most."),
  POISON_DELAYS_ONCE(
      "A task whose lease has run out comes back behind all that are available: it delays them by"
          + " one claim."),
  FAIR_CHOICE("Half of the choices in a queue, and any among queues, are uniform."),
  ONE_ANSWER("Each request is answered once, and nobody is answered who did not ask."),
  ANSWERS_EXACT("An answer says what happened: code, position, time and every task as it stands."),
  VALUE_INTACT("A claimed task has the value that was written last, to the bit."),
  GIVEN_BACK("A claim whose caller is gone is undone: arrival, claimant and claims as before."),
  STATISTICS_COUNT("Statistics are what counting the tasks gives."),
  CALLERS_IN_ORDER(
      "Callers stand in the order in which they were heard of last, those who wait in front."),
  LISTING_COMPLETE("A listing shows every task of its queue once, as it stands."),
  CONTENT_SUMS_UP("The content digest is the sum over the content."),
  REPLAY_SAME("A recovered state is the one that was there at that record, to the digest."),
  DAMAGE_NEVER_SERVED(
      "A damaged directory is refused, or comes back whole; nothing wrong is shown."),
  OPENS_UNDAMAGED("A directory that nobody has damaged opens."),
  OPEN_FINDS_END("An engine comes back with every record that its durability promised."),
  FORCED_ON_DISK("What an engine says is forced is on the disk, unless that has lied."),
  DURABLE_REPLY("At durability disk no reply leaves before what it has seen is forced."),
  QUEUE_LIMIT("No modify makes a queue larger than the limit that its record names."),
  DOES_NOT_BREAK("An engine ends only with its process, or because its disk has failed it."),
  MEMORY_BOUNDED("Memory stays within a small multiple of what is live."),
  DISK_BOUNDED("The directory stays within a small multiple of what is live."),
  ALL_ANSWERED("When the trouble is over everybody gets his answer, and nobody waits any more."),
  STILL_SERVES("After all trouble a task can be inserted, claimed and deleted within a minute."),
  REPLICAS_AGREE("Members at the same record have the same digests, and have answered the same."),
  REPLICAS_CATCH_UP("A member that is up applies what is in the log within half a minute."),
  MEMBER_SHOWS_ITS_WRITES("A listing of a member shows all that it has told its callers before."),
  MEMBER_ANSWERS("A member answers whom it has taken in, unless he waits for a task."),
  LOG_KNOWS_WHAT_HAS_LEFT("When an answer with tasks has left, the log says so within seconds."),
  POSITION_IS_REACHED("A listing that is asked for from a position on shows all up to there."),

  // Of docs.
  ONE_HOLDER("While somebody holds a doc nobody else claims, changes or deletes it."),
  CLAIMS_TAKE_WHOLE_KEYS("A claim of docs gets all docs of its key, or none, and says why."),
  DOC_VERSIONS_BY_ONE("Each write of a doc raises its version by one, and nothing else does."),
  DOCS_AS_WRITTEN("A doc has the keys and the content that were written last, to the bit."),
  DOCS_AS_THEY_STAND("An answer shows every doc that it is about as it stands, and no other."),
  DOCS_STAY("A doc that was inserted is there until somebody deletes it, and then no more."),
  DOCS_IN_ORDER("Docs come in the order of key, secondary key and id, or as they were asked for."),
  DOCS_LISTED_ONCE(
      "A listing shows each doc that it asks for and that stays where it is once, and no other."),
  NAMESPACES_COUNT(
      "Namespaces are what counting their docs gives, and one without docs is not there."),

  // Of workers.
  WORK_COMMITTED_ONCE("A piece of work is committed as done once at most."),
  WORK_COUNTED_ONCE(
      "A doc counts each piece of work once that was done in the same step, and no other."),
  ONE_END("A piece of work ends as done or in quarantine, and not as both."),
  WHAT_IS_OVER_STAYS_OVER("No handler gets the task of work that is done or was in quarantine."),
  TASKS_COME_TO_AN_END(
      "A task for workers comes to its end before the engine has been well for 20 minutes."),
  CLAIMED_TASKS_ARE_WORKED_ON("A task that a commit has claimed is worked on, or given back."),
  FAILED_WORK_IS_NOT_COMMITTED("Work that cannot be done is not committed as done."),
  NO_COMMIT_AFTER_LOST_LEASE("Nothing is committed once its lease is known to be lost."),
  COMMITS_WHAT_IT_HOLDS("A worker commits a task as it has claimed it, not as others have since."),
  UNREADABLE_NEVER_HANDLED("No handler gets a task whose value cannot be read."),
  LEASES_ARE_KEPT("A worker loses its lease only if something was in the way."),
  LOST_LEASES_ARE_TOLD("A handler is told that its lease is lost."),
  COMMITS_ARE_TOLD("Whoever listens to a worker hears of each commit that was done."),
  COMMITS_ARE_TRIED_AGAIN("A commit that got no answer is tried again, after a pause."),
  UNKNOWN_OUTCOMES_ARE_TOLD(
      "Whoever listens to a worker hears of a commit of which nobody knows what became."),
  FAILURES_ARE_COUNTED("Each failure that is committed raises the attempt of its task."),
  FAILURES_COUNT_ONCE("A task counts no more failures than its handler had runs."),
  FAILED_TASKS_REST("A task that has failed rests for as long as the back-off says."),
  QUARANTINED_AFTER_MAX_ATTEMPTS(
      "A task goes to quarantine after as many failures as it may have, not sooner or later."),
  QUARANTINED_AFTER_MAX_CLAIMS(
      "A task that is claimed time after time without an end goes to quarantine."),
  QUARANTINED_FOR_A_REASON("Work that can be done does not go to quarantine."),
  REQUESTS_ARE_UNDERSTOOD("The queue understands what its workers ask, and they what it answers."),
  WORKERS_GO_ON("No worker does nothing for five minutes."),

  // Of the machine.
  WORLD_DOES_NOT_BREAK("Nothing is thrown that no trouble has caused."),
  RECORD_SOUND("A record can be read when it is written."),
  SNAPSHOT_RESTS_ON_LOG("A snapshot has its name once the log is on the disk up to it."),
  GOOD_SNAPSHOT_USED("An engine starts from the newest good snapshot."),
  FORCED_IS_THERE(
      "What a record, a run or a snapshot says was on the disk is there when the power has"
          + " failed."),
  LEAVES_ROOM("Nothing is logged that the bounds of the disk forbid."),
  GOES_ON_WITH_ROOM("Nothing is refused for want of room once there is room again."),
  REFUSED_FOR_A_REASON("Nothing is refused while there is room and memory."),
  LOG_TIME_RUNS("Log time passes at 90 to 110 % of real time, whatever the wall clock does.");

  private final String label = name().toLowerCase(Locale.ROOT).replace('_', '-');
  private final String statement;

  Invariant(String statement) {
    this.statement = statement;
  }

  /** The name in kebab case, which is the rule of a {@link Violation}. */
  public String label() {
    return label;
  }

  /** What must hold, in one sentence. */
  public String statement() {
    return statement;
  }

  /** What to throw where it does not hold. */
  public Violation broken(Object subject, Object expected, Object actual) {
    return new Violation(label, subject, expected, actual);
  }

  /** Fails unless the fact holds. */
  public void require(boolean fact, Object subject, Object expected, Object actual) {
    if (!fact) {
      throw broken(subject, expected, actual);
    }
  }
}
