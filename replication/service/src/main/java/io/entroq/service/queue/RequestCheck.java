package io.entroq.service.queue;

import com.google.protobuf.Message;
import io.entroq.codec.wire.IdKey;
import io.entroq.codec.wire.edge.ClaimDocsRequest;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.DocQuery;
import io.entroq.codec.wire.edge.DocsRequest;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.NamespacesRequest;
import io.entroq.codec.wire.edge.QueuesRequest;
import io.entroq.codec.wire.edge.TasksRequest;
import io.entroq.engine.gateway.CommandWriter;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Identity;
import io.entroq.service.call.CallContext;
import io.entroq.service.call.Method;
import io.entroq.service.call.MinPosition;
import io.entroq.service.translation.ClaimCommandWriter;
import io.entroq.service.translation.ClaimDocsCommandWriter;
import io.entroq.service.translation.Facade;
import io.entroq.service.translation.ModifyCommandWriter;
import io.entroq.service.translation.QueryCommandWriter;
import io.entroq.service.translation.RepeatedTasks;
import io.entroq.service.translation.RequestIdentities;
import java.util.List;
import java.util.Optional;
import org.agrona.ExpandableArrayBuffer;

/**
 * Checks requests before the authorizer is asked. It writes each command as {@link QueueService}
 * does, but to a buffer that nobody reads, so that there is one place for each rule. Any thread.
 */
final class RequestCheck {
  /** A longer buffer is not kept for the next request. */
  private static final int KEPT_BYTES_MAX = 1 << 16;

  private static final ThreadLocal<ExpandableArrayBuffer> UNREAD =
      ThreadLocal.withInitial(ExpandableArrayBuffer::new);

  /** For a request that gets one of the gateway's, which is at least as long. */
  private static final Identity SHORTEST = new Identity(1, 1, 1, 1);

  private final Facade facade;
  private final Gateway gateway;

  RequestCheck(Facade facade, Gateway gateway) {
    this.facade = facade;
    this.gateway = gateway;
  }

  /**
   * Returns if a request is valid.
   *
   * @throws RuntimeException that {@link QueueService#handle} would refuse it for
   */
  void require(Method<?, ?> method, CallContext context, Message request) {
    if (request instanceof ModifyRequest modify) {
      require(modify);
    } else if (request instanceof ClaimRequest claim) {
      require(claim, method == Method.CLAIM);
    } else if (request instanceof ClaimDocsRequest claim) {
      write(claim, buffer -> new ClaimDocsCommandWriter().write(buffer, claim));
    } else if (method != Method.CANCEL_CLAIM) {
      // A read.
      long unused = MinPosition.of(context);
      begin(method, request);
    }
  }

  private void require(ModifyRequest request) {
    Optional<Identity> own = RequestIdentities.of(facade, request);
    boolean claims = facade == Facade.V1 && request.hasThenClaim();
    Optional<Identity> identity = claims ? own.or(() -> Optional.of(SHORTEST)) : own;
    write(
        request,
        buffer ->
            ModifyCommandWriter.ofThread()
                .write(buffer, facade, request, identity, gateway.limits()));
    if (facade == Facade.V0) {
      RepeatedTasks.refuse(request);
    }
  }

  private void require(ClaimRequest request, boolean waits) {
    Identity identity = RequestIdentities.of(facade, request).orElse(SHORTEST);
    write(
        request,
        buffer ->
            ClaimCommandWriter.ofThread()
                .write(buffer, facade, request, Optional.of(identity), waits));
  }

  private void write(Message request, CommandWriter writer) {
    ExpandableArrayBuffer unread = UNREAD.get();
    if (request.getSerializedSize() > KEPT_BYTES_MAX) {
      unread = new ExpandableArrayBuffer(request.getSerializedSize());
    }
    gateway.limits().requireLength(writer.write(unread));
  }

  /** Begins a listing, which does nothing before its first page. */
  private void begin(Method<?, ?> method, Message request) {
    if (request instanceof TasksRequest tasks) {
      List<IdKey> ids = QueryCommandWriter.ids(facade, tasks);
      gateway.tasks(buffer -> new QueryCommandWriter().tasks(buffer, facade, tasks, ids));
    } else if (request instanceof DocsRequest docs) {
      DocQuery query = docs.getQuery();
      List<IdKey> ids = QueryCommandWriter.ids(query);
      gateway.docs(buffer -> new QueryCommandWriter().docs(buffer, query, ids));
    } else if (request instanceof QueuesRequest queues) {
      boolean omitStats = method == Method.QUEUES;
      gateway.queues(buffer -> new QueryCommandWriter().queues(buffer, queues, omitStats));
    } else if (request instanceof NamespacesRequest namespaces) {
      gateway.namespaces(buffer -> new QueryCommandWriter().namespaces(buffer, namespaces));
    }
  }
}
