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
 * Encodes calls of the API and decodes results, for callers that transport the bytes themselves,
 * such as simulated clients.
 *
 * <p>It numbers its requests under its own identity, so a command may be sent again until its
 * result arrives. One request at a time: the next one acknowledges the earlier ones. A caller that
 * gave up on a result uses a new client. Single-threaded.
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
   * @param clientHigh upper half of a unique identity
   * @param clientLow its lower half
   * @param claimant used for requests that name none
   */
  public EncodedClient(long clientHigh, long clientLow, String claimant) {
    this.lane = new Lane(clientHigh, clientLow);
    this.claimant = claimant;
  }

  /**
   * Begins a claim that waits.
   *
   * @param deadlineMs log time at which it ends without a task; 0 if never
   * @return an encoded Claim, in a new buffer
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
   * @param modification each doc to insert has an id
   * @param insertIds the id of each insert
   * @return an encoded Modify, in a new buffer
   */
  public DirectBuffer modify(Modification modification, List<TaskId> insertIds) {
    ModifyRequest begun = new ModifyRequest(modification, insertIds, claimant, 0);
    request = begun;
    lane.next();
    return copy(begun.encode(encoder, buffer, lane));
  }

  /** Encodes a Cancel of the last claim, in a new buffer. */
  public DirectBuffer cancel() {
    CancelEncoder cancel = new CancelEncoder().wrap(buffer, 0);
    return copy(cancel.identity(lane.clientHigh(), lane.clientLow(), lane.number(), 0).length());
  }

  /** Encodes a ListTasks, in a new buffer. It has no identity and is not numbered. */
  public DirectBuffer tasks(TaskQuery query) {
    return copy(encoder.tasks(buffer, query));
  }

  /** Encodes a ListDocs, in a new buffer. It has no identity and is not numbered. */
  public DirectBuffer docs(DocQuery query) {
    return copy(encoder.docs(buffer, query));
  }

  /**
   * Decodes the result of the last claim.
   *
   * @param result fills the whole buffer
   * @return empty if there were no tasks in time, the claim was cancelled or its tasks returned
   * @throws EntroQException.OutcomeUnknown if the engine has forgotten this client
   * @throws EntroQException if the claim was refused
   */
  public List<Task> claimed(DirectBuffer result) {
    return switch (read(result).code()) {
      case ResultCodes.CANCELLED, ResultCodes.CLAIM_LOST -> List.of();
      case ResultCodes.OUTCOME_UNKNOWN -> throw new EntroQException.OutcomeUnknown(forgotten());
      default -> ((ClaimRequest) request).answer(reader);
    };
  }

  /**
   * Decodes the result of the last Modify.
   *
   * @param result fills the whole buffer
   * @throws EntroQException if it was refused
   */
  public ModifyResult modified(DirectBuffer result) {
    return read(result).code() == ResultCodes.OUTCOME_UNKNOWN
        ? new ModifyResult.OutcomeUnknown(forgotten())
        : ((ModifyRequest) request).answer(reader);
  }

  /** Decodes a listing of tasks that fills the whole buffer. */
  public List<Task> listed(DirectBuffer result) {
    List<Task> tasks = new ArrayList<>();
    read(result).addListed(tasks);
    return tasks;
  }

  /** Decodes a listing of docs that fills the whole buffer. */
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
