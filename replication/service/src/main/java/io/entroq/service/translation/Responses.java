package io.entroq.service.translation;

import io.entroq.codec.result.CopyRuns;
import io.entroq.codec.result.DocDecoder;
import io.entroq.codec.result.ResultCodes;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.codec.result.TaskDecoder;
import io.entroq.codec.wire.edge.ChangeMode;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimDocsResponse;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.ClaimResponse;
import io.entroq.codec.wire.edge.Doc;
import io.entroq.codec.wire.edge.DocChange;
import io.entroq.codec.wire.edge.DocData;
import io.entroq.codec.wire.edge.DocQuery;
import io.entroq.codec.wire.edge.DocsResponse;
import io.entroq.codec.wire.edge.ListPoliciesResponse;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.ModifyResponse;
import io.entroq.codec.wire.edge.NamespacesResponse;
import io.entroq.codec.wire.edge.PolicyState;
import io.entroq.codec.wire.edge.PositionResponse;
import io.entroq.codec.wire.edge.QueuesResponse;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskChange;
import io.entroq.codec.wire.edge.TaskData;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.codec.wire.edge.TasksResponse;

/**
 * Converts results to the responses of one API. Any thread.
 *
 * <p>Each method throws a {@link RefusedException} if the result is a refusal.
 */
public final class Responses {
  private final Facade facade;

  /** For one API. */
  public Responses(Facade facade) {
    this.facade = facade;
  }

  /** The response to a claim. Empty only if the claim does not wait or has a deadline. */
  public ClaimResponse claimed(ResultDecoder result, ClaimRequest request) {
    if (result.code() == ResultCodes.EMPTY || result.code() == ResultCodes.TIMED_OUT) {
      return ClaimResponse.getDefaultInstance();
    }
    ResultRefusals.requireOk(result);
    TaskReader reader = new TaskReader(facade, result, request.getRawValues());
    ClaimResponse.Builder response =
        ClaimResponse.newBuilder().setTask(reader.whole(result.claimed(0)));
    for (int i = 1; i < result.claimedCount(); i++) {
      response.addMore(reader.whole(result.claimed(i)));
    }
    return response.build();
  }

  /**
   * The response to a Modify.
   *
   * @param detailBytesMax the space for error details, see {@link ErrorDetailSpace}
   */
  public ModifyResponse modified(ResultDecoder result, ModifyRequest request, int detailBytesMax) {
    if (result.code() == ResultCodes.DEPENDENCY) {
      throw new RefusedException(
          new DependencyDetails(facade, request).refusal(result, detailBytesMax));
    }
    ResultRefusals.requireOk(result, request);
    TaskReader reader = new TaskReader(facade, result, request.getRawValues());
    TaskReader claimed = new TaskReader(facade, result, request.getThenClaim().getRawValues());
    ModifyResponse.Builder response = ModifyResponse.newBuilder();
    addInserted(reader, result, request, response);
    for (int i = 0; i < result.changedCount(); i++) {
      response.addChanged(changed(reader, result.changed(i), request.getChanges(i)));
    }
    for (int i = 0; i < result.claimedCount(); i++) {
      response.addClaimed(claimed.whole(result.claimed(i)));
    }
    if (result.docCount() > 0) {
      addDocs(result, request, response);
    }
    for (int i = 0; i < result.failedCount(); i++) {
      response.addFailed(reader.whole(result.failed(i)));
    }
    if (result.policyCount() > 0) {
      addPolicies(result, response);
    }
    return response.build();
  }

  /**
   * Adds the task of each insert, or the copies of an insert into a topic, in its groups' order.
   */
  private static void addInserted(
      TaskReader reader,
      ResultDecoder result,
      ModifyRequest request,
      ModifyResponse.Builder response) {
    int at = 0;
    for (int i = 0; at < result.insertedCount(); i++) {
      TaskData data = request.getInserts(i);
      for (int end = CopyRuns.end(result, at); at < end; at++) {
        TaskDecoder task = result.inserted(at);
        response.addInserted(
            CopyRuns.isCopy(task)
                ? reader.copy(task, data)
                : reader.sent(task, data, data.getId(), data.getQueue()));
      }
    }
  }

  private static void addPolicies(ResultDecoder result, ModifyResponse.Builder response) {
    PolicyReader reader = new PolicyReader(result);
    for (int i = 0; i < result.policyCount(); i++) {
      response.addPolicies(reader.state(result.policy(i)));
    }
  }

  private Task changed(TaskReader reader, TaskDecoder task, TaskChange change) {
    // After a lease change, and where a policy decided what became of the task.
    if (task.queueLength() > 0) {
      return reader.whole(task);
    }
    TaskData data = change.getNewData();
    String queue = data.getQueue().isEmpty() ? change.getOldId().getQueue() : data.getQueue();
    return reader.sent(task, data, change.getOldId().getId(), queue);
  }

  private static void addDocs(
      ResultDecoder result, ModifyRequest request, ModifyResponse.Builder response) {
    DocReader reader = new DocReader(result);
    int inserts = request.getDocInsertsCount();
    for (int i = 0; i < result.docCount(); i++) {
      if (i < inserts) {
        DocData data = request.getDocInserts(i);
        response.addInsertedDocs(reader.sent(result.doc(i), data, data.getId()));
      } else {
        response.addChangedDocs(changed(reader, result.doc(i), request.getDocChanges(i - inserts)));
      }
    }
  }

  private static Doc changed(DocReader reader, DocDecoder doc, DocChange change) {
    return change.getMode() == ChangeMode.CHANGE_LEASE
        ? reader.set(doc)
        : reader.sent(doc, change.getNewData(), change.getOldId().getId());
  }

  /**
   * The response to a claim of docs.
   *
   * @param detailBytesMax the space for error details, see {@link ErrorDetailSpace}
   */
  public static ClaimDocsResponse claimedDocs(
      ResultDecoder result, ClaimDocsRequest request, int detailBytesMax) {
    DocReader reader = new DocReader(result, request.getClaimQuery().getRawValues());
    if (result.code() == ResultCodes.DEPENDENCY) {
      throw new RefusedException(
          ClaimDocsDetails.refusal(
              result, request.getClaimQuery().getTaskToMatch(), detailBytesMax));
    }
    if (result.code() != ResultCodes.EMPTY) {
      ResultRefusals.requireDocs(result);
    }
    ClaimDocsResponse.Builder response = ClaimDocsResponse.newBuilder();
    for (int i = 0; i < result.docCount(); i++) {
      response.addDocs(reader.whole(result.doc(i)));
    }
    for (int i = 0; i < result.setCount(); i++) {
      response.addSets(reader.set(result.set(i)));
    }
    return response.build();
  }

  /** Adds a page of a listing of tasks. */
  public void addTasks(ResultDecoder result, TasksRequest request, TasksResponse.Builder response) {
    TaskReader reader = new TaskReader(facade, result, request.getRawValues());
    for (int i = 0; i < result.taskCount(); i++) {
      response.addTasks(reader.whole(result.task(i)));
    }
  }

  /** Adds a page of a listing of docs. */
  public static void addDocs(ResultDecoder result, DocQuery query, DocsResponse.Builder response) {
    DocReader reader = new DocReader(result, query.getRawValues());
    for (int i = 0; i < result.docCount(); i++) {
      response.addDocs(reader.whole(result.doc(i)));
    }
  }

  /** Adds a page of a listing of namespaces. */
  public static void addNamespaces(ResultDecoder result, NamespacesResponse.Builder response) {
    DocReader reader = new DocReader(result);
    for (int i = 0; i < result.namespaceCount(); i++) {
      response.addNamespaces(reader.figures(result.namespace(i)));
    }
  }

  /**
   * Adds a page of a listing of policies.
   *
   * @param name of those to add; empty for all
   */
  public static void addPolicies(
      ResultDecoder result, String name, ListPoliciesResponse.Builder response) {
    PolicyReader reader = new PolicyReader(result);
    for (int i = 0; i < result.policyCount(); i++) {
      PolicyState policy = reader.state(result.policy(i));
      if (name.isEmpty() || policy.getPolicy().getName().equals(name)) {
        response.addPolicies(policy);
      }
    }
  }

  /** Sets where a task stands in its queue. */
  public static void position(ResultDecoder result, PositionResponse.Builder response) {
    boolean hasPlace = result.isReady() && result.position() >= 0;
    // Of a task that does not exist, nothing is set.
    response
        .setExists(result.isReady() || result.position() < 0)
        .setReady(result.isReady())
        .setExpectedStartMs(result.expectedStartMs());
    if (hasPlace) {
      response.setAhead(result.position());
    }
  }

  /**
   * Adds a page of a listing of queues.
   *
   * @param omitStats whether to omit all but names and sizes
   */
  public void addQueues(ResultDecoder result, boolean omitStats, QueuesResponse.Builder response) {
    TaskReader reader = new TaskReader(facade, result);
    for (int i = 0; i < result.queueCount(); i++) {
      response.addQueues(
          omitStats ? reader.size(result.queue(i)) : reader.figures(result.queue(i)));
    }
  }
}
