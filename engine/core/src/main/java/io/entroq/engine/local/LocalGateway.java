package io.entroq.engine.local;

import io.entroq.api.EntroQException;
import io.entroq.codec.command.CancelEncoder;
import io.entroq.codec.message.MalformedMessageException;
import io.entroq.engine.call.RequestFailures;
import io.entroq.engine.gateway.ClaimWriter;
import io.entroq.engine.gateway.CommandWriter;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.GatewayLimits;
import io.entroq.engine.gateway.Identity;
import io.entroq.engine.gateway.Listing;
import io.entroq.engine.gateway.RevocableClaim;
import io.entroq.engine.gateway.Submission;
import io.entroq.engine.gateway.WaitingClaim;
import io.entroq.engine.request.Lane;
import io.entroq.engine.request.Lanes;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.result.DocsPage;
import io.entroq.engine.result.NamespacesPage;
import io.entroq.engine.result.Page;
import io.entroq.engine.result.PoliciesPage;
import io.entroq.engine.result.PositionPage;
import io.entroq.engine.result.QueuesPage;
import io.entroq.engine.result.TasksPage;
import io.entroq.engine.state.Levels;
import java.util.UUID;
import java.util.concurrent.Executor;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/** The gateway of an engine in this process. Any thread. */
final class LocalGateway implements Gateway {
  private static final int QUERY_BYTES_FIRST = 256;

  private final Entrance entrance;
  private final Submitter submitter;
  private final Lanes lanes;
  private final RequestFailures failures;
  private final GatewayLimits limits;

  LocalGateway(Entrance entrance, RequestFailures failures, GatewayLimits limits) {
    this.entrance = entrance;
    this.submitter = entrance.submitter();
    this.lanes = entrance.lanes();
    this.failures = failures;
    this.limits = limits;
  }

  @Override
  public void lendThread(Executor later) {
    entrance.lend().accept(later);
  }

  @Override
  public UUID logId() {
    return entrance.logId().get();
  }

  @Override
  public boolean hasPolicies() {
    return entrance.level().getAsInt() >= Levels.POLICIES;
  }

  @Override
  public boolean hasPools() {
    return entrance.level().getAsInt() >= Levels.POOLS;
  }

  @Override
  public boolean hasTakeBack() {
    return entrance.level().getAsInt() >= Levels.TAKE_BACK;
  }

  @Override
  public GatewayLimits limits() {
    return limits;
  }

  @Override
  public RevocableClaim claim(long bytes, ClaimWriter writer, Completion completion) {
    return claim(submitter.acquireNow(RequestKind.CLAIM, false, bytes), null, writer, completion);
  }

  @Override
  public RevocableClaim claim(
      Identity identity, long bytes, ClaimWriter writer, Completion completion) {
    return claim(
        submitter.acquireNow(RequestKind.CLAIM, false, bytes), identity, writer, completion);
  }

  @Override
  public RevocableClaim claimingModify(
      long bytes, int answerBytesMax, ClaimWriter writer, Completion completion) {
    return claim(acquire(RequestKind.MODIFY, bytes, answerBytesMax), null, writer, completion);
  }

  @Override
  public RevocableClaim claimingModify(
      Identity identity,
      long bytes,
      int answerBytesMax,
      ClaimWriter writer,
      Completion completion) {
    return claim(acquire(RequestKind.MODIFY, bytes, answerBytesMax), identity, writer, completion);
  }

  @Override
  public Submission cancelClaim(Identity identity, Completion completion) {
    return send(
        submitter.acquireNow(RequestKind.CANCEL, false, 0),
        buffer ->
            new CancelEncoder()
                .wrap(buffer, 0)
                .identity(identity.clientHigh(), identity.clientLow(), identity.number(), 0)
                .length(),
        completion);
  }

  @Override
  public Submission modify(
      long bytes, int answerBytesMax, CommandWriter writer, Completion completion) {
    return send(acquire(RequestKind.MODIFY, bytes, answerBytesMax), writer, completion);
  }

  @Override
  public Submission claimDocs(
      long bytes, int answerBytesMax, CommandWriter writer, Completion completion) {
    return send(acquire(RequestKind.CLAIM_DOCS, bytes, answerBytesMax), writer, completion);
  }

  private RequestSlot acquire(RequestKind kind, long bytes, int answerBytesMax) {
    RequestSlot slot = submitter.acquireNow(kind, false, bytes);
    slot.answerBytesMax = answerBytesMax;
    return slot;
  }

  @Override
  public Submission time(Completion completion) {
    return send(submitter.acquireNow(RequestKind.TIME, false, 0), buffer -> 0, completion);
  }

  @Override
  public Submission reached(long sequence, long patienceNs, Completion completion) {
    RequestSlot slot = submitter.acquireNow(RequestKind.REACH, false, 0);
    slot.awaitedSequence = sequence;
    slot.deadlineNs = entrance.nanoTime().getAsLong() + patienceNs;
    return send(slot, buffer -> 0, completion);
  }

  private Submission send(RequestSlot slot, CommandWriter writer, Completion completion) {
    return new GatewayRequest(submitter, slot, new CompletionAdapter(failures, completion))
        .send(writer);
  }

  @Override
  public WaitingClaim waitingClaim(long bytes, ClaimWriter writer, Completion completion) {
    return claim(submitter.acquireNow(RequestKind.CLAIM, true, bytes), null, writer, completion);
  }

  @Override
  public WaitingClaim waitingClaim(
      Identity identity, long bytes, ClaimWriter writer, Completion completion) {
    return claim(
        submitter.acquireNow(RequestKind.CLAIM, true, bytes), identity, writer, completion);
  }

  /**
   * Submits a claim, or a Modify that claims.
   *
   * @param identity the caller's own; null: one of the gateway's
   */
  private GatewayClaim claim(
      RequestSlot slot, Identity identity, ClaimWriter writer, Completion completion) {
    boolean isNamed = identity != null;
    ClaimWriter named = isNamed ? (buffer, taken) -> writer.write(buffer, identity) : writer;
    Lane lane =
        isNamed
            ? Lane.ofCaller(identity.clientHigh(), identity.clientLow(), identity.number())
            : lanes.take();
    return new GatewayClaim(
            submitter, lanes, slot, named, new CompletionAdapter(failures, completion))
        .sendUnder(lane);
  }

  @Override
  public Listing tasks(CommandWriter writer) {
    return listing(writer, TasksPage::new);
  }

  @Override
  public Listing queues(CommandWriter writer) {
    return listing(writer, QueuesPage::new);
  }

  @Override
  public Listing docs(CommandWriter writer) {
    return listing(writer, DocsPage::new);
  }

  @Override
  public Listing policies(CommandWriter writer) {
    return listing(writer, PoliciesPage::new);
  }

  @Override
  public Listing position(CommandWriter writer) {
    return listing(writer, PositionPage::new);
  }

  @Override
  public Listing namespaces(CommandWriter writer) {
    return listing(writer, NamespacesPage::new);
  }

  @Override
  public void afterAnswers(Runnable work) {
    entrance.afterReplies().accept(work);
  }

  private Listing listing(CommandWriter writer, PageKind kind) {
    ExpandableArrayBuffer query = new ExpandableArrayBuffer(QUERY_BYTES_FIRST);
    int length = writer.write(query);
    submitter.checkLength(length);
    try {
      return new GatewayListing(submitter, failures, kind.open(query, 0, length));
    } catch (MalformedMessageException e) {
      throw new EntroQException.InvalidArgument(e.getMessage(), e);
    }
  }

  /** The kinds of listings. */
  @FunctionalInterface
  private interface PageKind {
    Page open(DirectBuffer query, int offset, int length);
  }
}
