package io.entroq.engine.gateway;

import io.entroq.api.EntroQException;
import java.util.UUID;
import java.util.concurrent.Executor;

/**
 * Accepts requests, or refuses them at once. Any thread.
 *
 * <p>A submitted request ends in one of three ways: its {@link Completion} gets a result; it gets
 * the reason why there is none; or the request is canceled, and the completion is not called. If
 * the submitting method throws, nothing has happened. Every submitting method throws
 *
 * <ul>
 *   <li>{@link EntroQException.ResourceExhausted} if a limit is reached,
 *   <li>{@link EntroQException.InvalidArgument} if the command is too long,
 *   <li>{@link EntroQException.Closed} if the engine takes no more requests,
 *   <li>and whatever the writer throws.
 * </ul>
 *
 * <p>Everywhere, {@code bytes} is the approximate length of the command, which is reserved before
 * it is written.
 */
public interface Gateway {
  /**
   * Lends the calling thread to the engine until the thread ends. While the engine's own thread
   * sleeps, requests that this thread submits are executed on it, after its current task, and their
   * completions are called on it. So no thread has to be woken for a request or its reply. For
   * event loops: threads that are never interrupted, never wait, and have little else to do.
   *
   * @param later runs tasks on the calling thread, in order and not at once
   */
  void lendThread(Executor later);

  /**
   * The id of the log, which all members of a cluster share and which never changes; null before
   * the log's first record.
   */
  UUID logId();

  /** Whether the log has policies, failures and attributes: its behavior level is 8 or higher. */
  boolean hasPolicies();

  /** Whether the log has pools and topics: its behavior level is 9 or higher. */
  boolean hasPools();

  /** Whether a change may take a task back: the log's behavior level is 11 or higher. */
  boolean hasTakeBack();

  /** The limits of a request. */
  GatewayLimits limits();

  /**
   * Submits a Claim that does not wait, under an identity of the gateway's. One that finds nothing
   * is not logged.
   */
  RevocableClaim claim(long bytes, ClaimWriter writer, Completion completion);

  /** Submits a Claim that does not wait, under the caller's own identity. */
  RevocableClaim claim(Identity identity, long bytes, ClaimWriter writer, Completion completion);

  /**
   * Submits a Claim that waits, under an identity of the gateway's. The caller cannot retry it, so
   * a cancel returns the assigned tasks.
   */
  WaitingClaim waitingClaim(long bytes, ClaimWriter writer, Completion completion);

  /**
   * Submits a Claim that waits, under the caller's own identity. The caller may repeat it under the
   * same number over another connection; then both wait for one claim, and a cancel ends it only if
   * it was the last. Tasks assigned by then stay assigned.
   */
  WaitingClaim waitingClaim(
      Identity identity, long bytes, ClaimWriter writer, Completion completion);

  /**
   * Ends a Claim under its caller's own identity, wherever the caller waits for it, and returns
   * what it was assigned, as far as the versions still match. The result has the code OK; or EMPTY
   * if the Claim is not known, had ended otherwise, or none of its tasks could be returned.
   *
   * @param identity of the Claim; {@code ackedBelow} is ignored
   */
  Submission cancelClaim(Identity identity, Completion completion);

  /**
   * Submits a Modify. It is refused with {@link EntroQException.ResourceExhausted}, and nothing is
   * changed, if the tasks whose leases it changes are larger than the reply may be.
   *
   * @param answerBytesMax most bytes of the values and error texts of those tasks together; above 0
   */
  Submission modify(long bytes, int answerBytesMax, CommandWriter writer, Completion completion);

  /**
   * Submits a Modify that also claims, under an identity of the gateway's. One that is refused is
   * not logged.
   *
   * @param answerBytesMax as for {@link #modify}
   */
  RevocableClaim claimingModify(
      long bytes, int answerBytesMax, ClaimWriter writer, Completion completion);

  /**
   * Submits a Modify that also claims, under the caller's own identity.
   *
   * @param answerBytesMax as for {@link #modify}
   */
  RevocableClaim claimingModify(
      Identity identity, long bytes, int answerBytesMax, ClaimWriter writer, Completion completion);

  /**
   * Submits a ClaimDocs. It is refused with {@link EntroQException.ResourceExhausted}, and nothing
   * is claimed, if the docs are larger than the reply may be.
   *
   * @param answerBytesMax most bytes of the docs together; above 0
   */
  Submission claimDocs(long bytes, int answerBytesMax, CommandWriter writer, Completion completion);

  /** Returns the log time, after everything due by then has happened. */
  Submission time(Completion completion);

  /**
   * Waits until the log reaches a sequence. The result has the code {@code TIMED_OUT} if it does
   * not in time.
   *
   * @param sequence of some result
   * @param patienceNs nanoseconds, above 0
   */
  Submission reached(long sequence, long patienceNs, Completion completion);

  /** Begins a listing of tasks; the writer writes a ListTasks. */
  Listing tasks(CommandWriter writer);

  /** Begins a listing of queues; the writer writes a ListQueues. */
  Listing queues(CommandWriter writer);

  /** Begins a listing of docs; the writer writes a ListDocs. */
  Listing docs(CommandWriter writer);

  /** Begins a listing of policies; the writer writes a ListPolicies. */
  Listing policies(CommandWriter writer);

  /**
   * Begins a question for the position of a task, which is answered with one page; the writer
   * writes a TaskPosition.
   */
  Listing position(CommandWriter writer);

  /** Begins a listing of namespaces; the writer writes a ListNamespaces. */
  Listing namespaces(CommandWriter writer);

  /**
   * Runs work once all requests that are ready have been completed, so that a server can send
   * several responses together. Called from a completion: on the same thread, soon after it
   * returns. Called on any other thread: at once.
   *
   * @param work must not block, and must not throw
   */
  void afterAnswers(Runnable work);
}
