package io.entroq.simulator.client;

import io.entroq.codec.result.ResultCodes;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.client.knowledge.DocQuery;
import io.entroq.simulator.client.knowledge.DocWrites;
import io.entroq.simulator.client.knowledge.KnownTask;
import io.entroq.simulator.client.knowledge.QueueNames;
import java.util.Locale;
import org.agrona.DirectBuffer;

/** One request of a client and what is known of it. A repeated request is the same call. */
final class Call implements Request.ReplyListener {
  /** What any Modify may be answered with that is not built to fail. */
  static final int OK_OR_DEPENDENCY = bit(ResultCodes.OK) | bit(ResultCodes.DEPENDENCY);

  final Caller caller;
  final Request request;

  /** Unique in the world, and rising. */
  final long serial;

  /** The number of an identified request; 0 for others. */
  final long number;

  /** A bit for each code that may be its answer. */
  int allowed;

  /** What its actor wanted with it. */
  int purpose;

  /** The work it belongs to; null for most. */
  Job job;

  /** The tasks it names; null for most. */
  KnownTask[] tasks;

  /** How many of each kind a Modify has. */
  int inserts;

  int changes;
  int deletes;

  /** The docs of a Modify; null for most. */
  DocWrites docs;

  /** Which docs it asks for, or claims; null for most. */
  DocQuery query;

  /** What a Modify writes if all goes well: a hash of ids and versions. */
  long written;

  /** Most tasks that it may be given; 0 if it asks for none. */
  int limit;

  /** The lease that it asks for. */
  long leaseMs;

  /** The queues it asks for: {@link #queueBit}. */
  long queues;

  /** Whether it is a claim that waits for a task. */
  boolean waits;

  /** Log time at which it stops to wait; 0: never, or it does not wait. */
  long deadlineMs;

  final long firstSentNs;

  /** When to do something about it if there is no answer. */
  long dueNs;

  int sends;

  /** When it was refused last, though it may be sent again; negative: never. */
  long refusedNs = -1;

  boolean isOver;
  boolean isCancelled;

  /** Whether it repeats a call without identity of which nobody knows what became. */
  boolean isRetry;

  /** Whether its number is not the next one of its caller: built to be refused. */
  boolean isRogue;

  /** The first answer: its code, where it was decided, and hashes of what it says. */
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

  /** A bit for a queue, one for all that come and go. */
  static long queueBit(int queue) {
    return 1L << Math.min(queue, QueueNames.LASTING);
  }

  /** Whose it is, and its number if it has one, as it stands in printed commands. */
  @Override
  public String toString() {
    String client = String.format(Locale.ROOT, "%016x%016x", caller.high(), caller.low());
    return number == 0 ? client : client + "/" + number;
  }
}
