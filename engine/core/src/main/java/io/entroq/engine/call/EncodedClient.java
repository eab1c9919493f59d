package io.entroq.engine.call;

import io.entroq.api.Claim;
import io.entroq.api.Doc;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.Task;
import io.entroq.api.TaskId;
import io.entroq.api.TaskQuery;
import io.entroq.codec.command.CancelEncoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.engine.request.Lane;
import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Encodes calls of the API and decodes results, for callers that carry both themselves, such as
 * simulated clients.
 *
 * <p>It numbers its requests under its own identity, so a command may be sent again until its
 * result arrives. One request at a time: the next one acknowledges those before. A caller that has
 * got no result abandons the client and uses a new one. One thread.
 */
public final class EncodedClient {
  private static final int FIRST_BYTES = 512;

  private final RequestEncoder encoder = new RequestEncoder();
  private final ReplyReader reader = new ReplyReader();
  private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(FIRST_BYTES);
  private final Lane lane;
  private final String claimant;
  private ApiRequest<?> request;

  /**
   * @param clientHigh upper half of an identity that nobody else has
   * @param clientLow lower half of it
   * @param claimant who asks if a request does not say
   */
  public EncodedClient(long clientHigh, long clientLow, String claimant) {
    this.lane = new Lane(clientHigh, clientLow);
    this.claimant = claimant;
  }

  /**
   * Begins a claim that waits.
   *
   * @param deadlineMs log time at which it ends without a task; 0: never
   * @return a Claim, in bytes of its own
   */
  public DirectBuffer claim(Claim claim, long deadlineMs) {
    ClaimRequest begun = new ClaimRequest(claim, claimant, deadlineMs);
    request = begun;
    lane.next();
    return copy(begun.encode(encoder, buffer, lane));
  }

  /**
   * Begins a Modify.
   *
   * @param modification its docs to insert have ids
   * @param insertIds the id of each insert
   * @param nowMs about the log time, from which delays count
   * @return a Modify, in bytes of its own
   */
  public DirectBuffer modify(Modification modification, List<TaskId> insertIds, long nowMs) {
    ModifyRequest begun = new ModifyRequest(modification, insertIds, claimant, nowMs, 0);
    request = begun;
    lane.next();
    return copy(begun.encode(encoder, buffer, lane));
  }

  /** A Cancel of the claim that was begun last, in bytes of its own. */
  public DirectBuffer cancel() {
    CancelEncoder cancel = new CancelEncoder().wrap(buffer, 0);
    return copy(cancel.identity(lane.clientHigh(), lane.clientLow(), lane.number(), 0).length());
  }

  /** A ListTasks, in bytes of its own; it has no identity and is no request in that sense. */
  public DirectBuffer tasks(TaskQuery query) {
    return copy(encoder.tasks(buffer, query));
  }

  /** A ListDocs, in bytes of its own; it has no identity and is no request in that sense. */
  public DirectBuffer docs(DocQuery query) {
    return copy(encoder.docs(buffer, query));
  }

  /**
   * The answer to the claim that was begun last.
   *
   * @param result all of the buffer
   * @return none if there were none in time, or if the claim was cancelled or its tasks given back
   * @throws EntroQException.OutcomeUnknown if the caller is not known any more
   * @throws EntroQException if it was refused
   */
  public List<Task> claimed(DirectBuffer result) {
    return switch (read(result).code()) {
      case ResultCodes.CANCELLED, ResultCodes.CLAIM_LOST -> List.of();
      case ResultCodes.OUTCOME_UNKNOWN -> throw new EntroQException.OutcomeUnknown(forgotten());
      default -> ((ClaimRequest) request).answer(reader);
    };
  }

  /**
   * The answer to the Modify that was begun last.
   *
   * @param result all of the buffer
   * @throws EntroQException if it was refused
   */
  public ModifyResult modified(DirectBuffer result) {
    return read(result).code() == ResultCodes.OUTCOME_UNKNOWN
        ? new ModifyResult.OutcomeUnknown(forgotten())
        : ((ModifyRequest) request).answer(reader);
  }

  /** The tasks that a listing shows, of which {@code result} is all. */
  public List<Task> listed(DirectBuffer result) {
    List<Task> tasks = new ArrayList<>();
    read(result).addListed(tasks);
    return tasks;
  }

  /** The docs that a listing shows, of which {@code result} is all. */
  public List<Doc> listedDocs(DirectBuffer result) {
    List<Doc> docs = new ArrayList<>();
    read(result).addDocs(docs);
    return docs;
  }

  private ReplyReader read(DirectBuffer result) {
    return reader.wrap(result, result.capacity());
  }

  private static String forgotten() {
    return "the engine does not know this caller any more";
  }

  private DirectBuffer copy(int length) {
    byte[] bytes = new byte[length];
    buffer.getBytes(0, bytes);
    return new UnsafeBuffer(bytes);
  }
}
