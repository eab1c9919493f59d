package io.entroq.simulator.coverage;

/**
 * The rules of protocol 2 for modifies, leases and doc sets, and those of pools and topics. The
 * ledger counts each decision.
 */
public enum Rule {
  // Arrival times.
  ARRIVAL_BY_DURATION("a duration that is not negative counts from the log time"),
  ARRIVAL_BY_NEGATIVE_DURATION("a negative duration leads to an arrival time in the past"),
  ARRIVAL_DURATION_SATURATES("a duration beyond the end of time means the end of time"),
  ARRIVAL_AT_INSTANT("an instant of the last year or of the future is the arrival time"),
  ARRIVAL_LONG_AGO("an instant more than a year ago means now"),
  ARRIVAL_UNSET("no arrival time means now"),

  // Tasks.
  INSERT_HOLDS("an inserted task that is not available yet has its writer as claimant"),
  INSERT_LEAVES_AVAILABLE("an inserted task that is available has no claimant"),
  CHANGE_HOLDS("a change to a future arrival time makes the writer the holder"),
  CHANGE_RELEASES("a change to an arrival time that is not in the future releases the task"),
  CHANGE_KEEPS_CLAIMS("a change keeps the number of claims"),
  CLAIMS_RESET("a change may reset the number of claims"),
  TASK_LEASE_EXTENDED("a lease change extends the lease of a task"),
  TASK_LEASE_RELEASED("a lease change releases a task"),
  TASK_OF_ANOTHER("a task that another claimant holds cannot be written"),
  TASK_TAKEN_BACK("a task that another claimant holds can be taken back"),
  TASK_IN_OTHER_QUEUE("a task in another queue than the request names counts as missing"),
  TASK_AT_OTHER_VERSION("a task at another version than the request names counts as missing"),
  SAME_TASK_TWICE("no two items of a modify name the same task"),
  ALL_FAILURES_TOGETHER("a refusal names all items that failed, of all kinds"),

  // Doc sets in modifies.
  SET_BEGINS_AT_ZERO("the first insert into a set that is not stored gives it version 0"),
  SET_MOVES_ONCE("several items of a modify add one to the version of their set together"),
  INSERT_NEEDS_NO_VERSION("an insert into a stored set adds one to its version"),
  PLACE_TAKEN("a secondary key is used once in a set"),
  DOC_ID_TAKEN("an id is used once in a namespace"),
  SAME_PLACE_TWICE("no two inserts of a modify have the same place in a set"),
  SAME_DOC_TWICE("no two items of a modify name the same doc"),
  SAME_SET_TWICE("no two lease changes of a modify name the same set"),
  DOC_MISSING("a doc that is written or depended on must exist"),
  DOC_AT_OTHER_VERSION("a doc is named with the version of its set"),
  VERSION_FROM_SET("a doc may leave its version to an item that names its set"),
  SET_DEPEND("a modify may depend on the version of a set"),
  SET_DEPEND_AT_OTHER_VERSION("a modify does not depend on another version of a set"),
  SET_DEPEND_UNSTORED("a modify cannot depend on a set that is not stored"),
  SET_DEPEND_WHILE_HELD("a modify may depend on a set that another claimant holds"),
  SET_OF_ANOTHER("nothing writes to a set that another claimant holds"),
  COMMIT_RELEASES_SET("a write without a future arrival time releases the set"),
  COMMIT_HOLDS_SET("a write with a future arrival time holds the set"),
  COMMIT_HOLDS_UNTIL_LATEST("the latest of several arrival times counts for the set"),
  REFUSAL_KEEPS_SET("a refused modify releases nothing"),
  SET_LEASE("a lease change of a set changes its arrival time and version"),
  SET_LEASE_WITHOUT_DOCS("the lease of a set without docs can be changed"),
  SET_LEASE_UNSTORED("the lease of a set that is not stored cannot be changed"),
  SET_LEASE_AT_OTHER_VERSION("the lease of a set is not changed at another version"),
  SET_OUTLIVES_DOCS("a set stays when its last doc goes"),
  SET_GOES_ON("an insert into a set without docs continues its versions"),
  SET_FORGOTTEN("a set without docs that nobody holds may be forgotten"),

  // Claims of doc sets.
  CLAIM_OF_UNSTORED_SET("a claim stores an unwritten set at version 1"),
  CLAIM_OF_EMPTY_SET("a set without docs can be claimed"),
  CLAIM_OF_SEVERAL_SETS("a claim takes all of several sets"),
  CLAIM_OF_SEVERAL_REFUSED("a claim takes none of several sets if another claimant holds one"),
  CLAIM_AGAIN("the holder of a set may claim it again"),
  CLAIM_OF_EXPIRED_SET("anybody may claim a set whose lease is over"),
  CLAIM_OMITS_MEMBERS("a claim may leave out the docs of a set"),
  CLAIM_WITH_TASK("a set is held exactly until the lease of the given task ends"),
  CLAIM_WITH_MISSING_TASK("a claim is refused if the given task is missing or has changed"),
  CLAIM_WITH_EXPIRED_TASK("a claim is refused if the lease of the given task is over"),
  SAME_SET_CLAIMED_TWICE("a claim does not name a set twice"),
  LOST_CLAIM_REPEATED("a repeated claim of sets that have changed since is lost"),

  // Pools.
  POOL_PAUSED("a pause of a pool keeps its members with work from a start"),
  POOL_RATE_CLOSED("the rate of a pool keeps its members with work from a start"),
  POOL_FULL("the tasks in flight of a pool keep its members with work from a start"),
  NESTED_POOL_PAUSED("a pool within a pool is paused, and has work"),
  NESTED_POOL_RATE_CLOSED("the rate of a pool within a pool is closed, and it has work"),
  NESTED_POOL_FULL("a pool within a pool has as many tasks in flight as it may, and work"),
  MEMBER_LIMITER_CLOSED("a member with work waits for a limiter that it shares"),
  MEMBER_ENTERS("a member that gets work enters at the virtual time of its pool"),
  POOL_CHOOSES_FEWEST("a pool chooses the member with the fewest in flight for its weight"),
  POOL_CHOOSES_IN_TURN("a pool chooses the member with the smallest virtual time"),
  POOL_CHOOSES_BY_RANK("a pool chooses the member of the highest rank"),
  POOL_CHOOSES_A_POOL("a pool chooses a pool within it"),
  POOL_TOO_DEEP("no policy makes more than three levels of pools"),

  // Topics.
  INSERT_COPIED("an insert into a topic makes one task for each group"),
  INSERT_COPIED_AS_WRITTEN("an insert beside the put of its topic's groups follows it"),
  COPY_TAKEN("an insert into a topic fails if the id of a copy is taken"),
  COPY_WITHOUT_ROOM("an insert into a topic is refused if a group has no room"),
  COPY_LEAVES_ITS_CONTENT("a copy that is changed or deleted leaves the content to the others"),
  COPY_FREES_ITS_CONTENT("the last copy takes the content along");

  private final String meaning;

  Rule(String meaning) {
    this.meaning = meaning;
  }

  /** What the rule says, in a few words. */
  public String meaning() {
    return meaning;
  }
}
