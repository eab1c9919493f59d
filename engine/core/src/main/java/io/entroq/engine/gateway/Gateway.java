package io.entroq.engine.gateway;

import io.entroq.api.EntroQException;
import java.util.concurrent.Executor;

/**
 * Takes requests in, or refuses them at once. Any thread.
 *
 * <p>What is submitted comes to an end in one of four ways: its {@link Completion} gets a result or
 * learns why there is none; or whoever has submitted it cancels it, and hears no more; or the
 * method that submits throws, and nothing has happened. Every method that submits throws
 *
 * <ul>
 *   <li>{@link EntroQException.ResourceExhausted} if as much is under way as may be,
 *   <li>{@link EntroQException.InvalidArgument} if the command is longer than one may be,
 *   <li>{@link EntroQException.Closed} if the engine takes no requests any more,
 *   <li>and whatever the writer throws.
 * </ul>
 *
 * <p>In each, {@code bytes} is about how long the command will be, for which room is looked for
 * before it is written.
 */
public interface Gateway {
  /**
   * Lends the calling thread to the engine, until the thread ends: while the engine's own thread
   * sleeps, requests that the lent one submits are done on it, as soon as it is through with what
   * it does at the moment, and their completions are called on it. So no thread has to be woken for
   * a request or its answer. For event loops: threads that nobody interrupts, that never wait, and
   * have little else to do.
   *
   * @param later runs on the calling thread what it is given, in order, and not at once
   */
  void lendThread(Executor later);

  /** What requests have to keep to. */
  GatewayLimits limits();

  /**
   * Submits a Claim that does not wait, under an identity of the gateway's. One that finds nothing
   * is not logged.
   */
  RevocableClaim claim(long bytes, ClaimWriter writer, Completion completion);

  /** Submits a Claim that does not wait, under the caller's own identity. */
  RevocableClaim claim(Identity identity, long bytes, ClaimWriter writer, Completion completion);

  /**
   * Submits a Claim that waits, under an identity of the gateway's. The caller has only this one
   * chance to get the answer, so a cancel gives back what was assigned.
   */
  WaitingClaim waitingClaim(long bytes, ClaimWriter writer, Completion completion);

  /**
   * Submits a Claim that waits, under the caller's own identity. He may ask again under the same
   * number, over another connection, and then he shares one claim with himself: a cancel ends it
   * only if nobody else waits for it, and what it has been assigned by then stays assigned.
   */
  WaitingClaim waitingClaim(
      Identity identity, long bytes, ClaimWriter writer, Completion completion);

  /**
   * Ends a Claim under its caller's own identity, wherever he waits for it, and gives back what it
   * was assigned as far as the versions still stand. The result has the code OK; or EMPTY if the
   * Claim is not known, had ended otherwise, or nothing of what it was assigned still stands.
   *
   * @param identity of the Claim; {@code ackedBelow} says nothing here
   */
  Submission cancelClaim(Identity identity, Completion completion);

  /** Submits a Modify. */
  Submission modify(long bytes, CommandWriter writer, Completion completion);

  /**
   * Submits a Modify that also claims, under an identity of the gateway's. One that is refused is
   * not logged.
   */
  RevocableClaim claimingModify(long bytes, ClaimWriter writer, Completion completion);

  /** Submits a Modify that also claims, under the caller's own identity. */
  RevocableClaim claimingModify(
      Identity identity, long bytes, ClaimWriter writer, Completion completion);

  /**
   * Submits a ClaimDocs. It is refused with {@link EntroQException.ResourceExhausted}, and nothing
   * is claimed, if the docs are more than the caller can be told of.
   *
   * @param answerBytesMax how many bytes the docs may have, all together; above 0
   */
  Submission claimDocs(long bytes, int answerBytesMax, CommandWriter writer, Completion completion);

  /** Asks for the log time, once everything that is due by then has happened. */
  Submission time(Completion completion);

  /**
   * Asks to be told when the log has come to a sequence. The answer has code {@code TIMED_OUT} if
   * it has not within the time.
   *
   * @param sequence that some answer has told of
   * @param patienceNs nanoseconds, above 0
   */
  Submission reached(long sequence, long patienceNs, Completion completion);

  /** Begins a listing of tasks; the writer writes a ListTasks. */
  Listing tasks(CommandWriter writer);

  /** Begins a listing of queues; the writer writes a ListQueues. */
  Listing queues(CommandWriter writer);

  /** Begins a listing of docs; the writer writes a ListDocs. */
  Listing docs(CommandWriter writer);

  /** Begins a listing of namespaces; the writer writes a ListNamespaces. */
  Listing namespaces(CommandWriter writer);

  /**
   * Does something once all answers that are ready have been told of, for whoever gathers answers
   * to pass several on together. On the thread that tells of answers if it is the one that asks for
   * it, soon after the {@link Completion} returns; at once on any other.
   *
   * @param work must not block, and must not throw
   */
  void afterAnswers(Runnable work);
}
