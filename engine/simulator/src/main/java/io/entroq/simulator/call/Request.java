package io.entroq.simulator.call;

import org.agrona.DirectBuffer;

/**
 * An encoded command of a client. A resend uses the same object. Immutable; the bytes must not
 * change.
 *
 * @param client number of the client, from 0
 * @param type a {@link io.entroq.codec.record.RecordType}: CLAIM, MODIFY, CLAIM_DOCS, CANCEL or
 *     ACKNOWLEDGE; or one of the reads below, which are not logged
 * @param command the bytes of the command, from 0 to the capacity of the buffer
 * @param from receives the replies: none, one or several
 */
public record Request(int client, int type, DirectBuffer command, ReplyListener from) {
  public static final int LIST_TASKS = 100;

  public static final int LIST_DOCS = 101;

  public static final int LIST_NAMESPACES = 102;

  public static final int TASK_POSITION = 103;

  /** Whether it only reads. */
  public boolean isRead() {
    return type >= LIST_TASKS;
  }

  /** Receives replies for a client. */
  @FunctionalInterface
  public interface ReplyListener {
    /** A reply has arrived, possibly a second one to the request, or one to an old request. */
    void onReply(Request request, Reply reply);
  }
}
