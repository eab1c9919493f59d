package io.entroq.simulator.client;

import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.client.knowledge.DocQuery;
import io.entroq.simulator.client.knowledge.DocWrites;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.QueueNames;
import io.entroq.simulator.client.knowledge.SetClaim;
import java.util.List;
import java.util.Locale;
import org.agrona.DirectBuffer;

/** One request of a client and its state. A repeated request is the same call. */
final class Call implements Request.ReplyListener {
  /** The allowed answers of a normal Modify. */
  static final int OK_OR_DEPENDENCY = bit(ResultCodes.OK) | bit(ResultCodes.DEPENDENCY);

  final Caller caller;
  final Request request;

  /** Unique in the world, and increasing. */
  final long serial;

  /** The number of an identified request; 0 for others. */
  final long number;

  /** A bit for each allowed result code. */
  int allowed;

  /** The actor's purpose. */
  int purpose;

  /** The job that it belongs to; null for most. */
  Job job;

  /** The tasks it names; null for most. */
  KnownTask[] tasks;

  /** Tasks to insert, of which there may be copies instead; null for most. */
  KnownTask[] inserted;

  /** The items of a Modify. */
  int inserts;

  int changes;
  int deletes;
  int fails;

  /** How many policies it writes or pauses. */
  int policies;

  /** The docs of a Modify; null for most. */
  DocWrites docs;

  /** The docs that it lists; null for most. */
  DocQuery query;

  /** The doc sets that it claims; empty for most. */
  List<SetClaim> sets = List.of();

  /** The task whose lease counts for the sets; null for most. */
  KnownTask matched;

  /** A hash of the ids and versions that a Modify writes if it succeeds. */
  long written;

  /** The most tasks that it may claim; 0 if it claims none. */
  int limit;

  /** The requested lease. */
  long leaseMs;

  /** The queues that it claims from, as {@link #queueBit}s. */
  long queues;

  /** Whether it is a claim that waits for a task. */
  boolean waits;

  /** Log time at which it stops waiting; 0: never, or it does not wait. */
  long deadlineMs;

  final long firstSentNs;

  /** When it times out. */
  long dueNs;

  int sends;

  /** When it was last refused; negative: never. */
  long refusedNs = -1;

  boolean isOver;
  boolean isCancelled;

  /** Whether it repeats a call without identity whose outcome is unknown. */
  boolean isRetry;

  /** Whether it has a wrong number on purpose. */
  boolean isRogue;

  /** The first answer: its code, its record, and hashes of its content. */
  int code;

  long sequence;

  long reportedHash;
  long claimed;

  Call(Caller caller, long serial, long number, int type, DirectBuffer command, long nowNs) {
    this.caller = caller;
    this.serial = serial;
    this.number = number;
    this.firstSentNs = nowNs;
    this.request = new Request(caller.index(), type, command, this);
  }

  @Override
  public void onReply(Request sent, Reply reply) {
    caller.onReply(this, reply);
  }

  static int bit(int code) {
    return 1 << code;
  }

  boolean allows(int answer) {
    return (allowed & bit(answer)) != 0;
  }

  /** The bit of a queue; all passing queues share one. */
  static long queueBit(int queue) {
    return 1L << Math.min(queue, QueueNames.LASTING);
  }

  /** The client, and the number if there is one, as in printed commands. */
  @Override
  public String toString() {
    String client = String.format(Locale.ROOT, "%016x%016x", caller.high(), caller.low());
    return number == 0 ? client : client + "/" + number;
  }
}
