package io.entroq.simulator.call;

import org.agrona.DirectBuffer;

/**
 * A command of a client, encoded. A resend is the same request once more. Immutable, and nobody
 * changes the bytes.
 *
 * @param client the number of the client, from 0
 * @param type a {@link io.entroq.codec.record.RecordType}: CLAIM, MODIFY, CANCEL or ACKNOWLEDGE; or
 *     {@link #LIST_TASKS}
 * @param command the bytes of the command, from 0 to the capacity of the buffer
 * @param from takes the replies, of which there may be none, one, or several
 */
public record Request(int client, int type, DirectBuffer command, ReplyTaker from) {
  /** The type of a ListTasks, which is no command of the log. */
  public static final int LIST_TASKS = 100;

  /** Takes replies on behalf of a client. */
  @FunctionalInterface
  public interface ReplyTaker {
    /** A reply has arrived; it may be the second one to this request, or one to an old request. */
    void onReply(Request request, Reply reply);
  }
}
