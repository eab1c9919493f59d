package io.entroq.service.authorization;

import com.google.protobuf.Message;
import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.DeadLettersRequest;
import io.entroq.codec.wire.edge.DocClaim;
import io.entroq.codec.wire.edge.DocSetClaim;
import io.entroq.codec.wire.edge.FailuresRequest;
import io.entroq.codec.wire.edge.Fair;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.OverviewRequest;
import io.entroq.codec.wire.edge.Policy;
import io.entroq.codec.wire.edge.PolicyKind;
import io.entroq.codec.wire.edge.PolicyPause;
import io.entroq.codec.wire.edge.PolicyRef;
import io.entroq.codec.wire.edge.RatesRequest;
import io.entroq.codec.wire.edge.SearchQueuesRequest;
import io.entroq.codec.wire.edge.TailRequest;
import io.entroq.codec.wire.edge.Task;
import io.entroq.codec.wire.edge.TaskChange;
import io.entroq.codec.wire.edge.WaitersRequest;
import io.entroq.codec.wire.edge.WorkersRequest;
import io.entroq.service.authorization.PermittedNames.Name;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** The permissions that requests need. */
final class RequiredPermissions {
  private RequiredPermissions() {}

  static List<Permission> claim(ClaimRequest request) {
    return request.getQueuesList().stream()
        .map(queue -> Permission.of(Action.CLAIM, queue))
        .toList();
  }

  static List<Permission> list(String queue) {
    return List.of(Permission.of(Action.READ, queue));
  }

  /** To list tasks in their queues; if none was found, to read a queue with an empty name. */
  static List<Permission> list(TaskLocations locations) {
    return locations.tasks().isEmpty()
        ? list("")
        : read(locations.tasks().values().stream().map(Task::getQueue));
  }

  private static List<Permission> read(Stream<String> queues) {
    return queues.distinct().map(queue -> Permission.of(Action.READ, queue)).toList();
  }

  /** To list queues or namespaces: by names, by prefixes, or all. */
  static List<Permission> listNames(List<String> exact, List<String> prefixes) {
    List<Permission> permissions = new ArrayList<>();
    exact.forEach(name -> permissions.add(Permission.of(Action.READ, name)));
    prefixes.forEach(prefix -> permissions.add(Permission.ofPrefix(Action.READ, prefix)));
    return permissions.isEmpty() ? List.of(Permission.ofPrefix(Action.READ, "")) : permissions;
  }

  /**
   * To follow what happens to queues and docs: those that are named, or all of either if nothing is
   * named.
   */
  static List<Name> tail(TailRequest request) {
    boolean isOfTasks = request.getQueuesCount() > 0 || request.getPrefixesCount() > 0;
    boolean isOfDocs = request.getNamespacesCount() > 0;
    List<Name> names = new ArrayList<>();
    if (isOfTasks || !isOfDocs) {
      listNames(request.getQueuesList(), request.getPrefixesList())
          .forEach(permission -> names.add(new Name(false, permission)));
    }
    if (isOfDocs || !isOfTasks) {
      listNames(request.getNamespacesList(), List.of())
          .forEach(permission -> names.add(new Name(true, permission)));
    }
    return names;
  }

  /**
   * To look at queues: those that a request names or that begin with its prefix, or all; empty if
   * the request is none of insight.
   */
  static Optional<List<Permission>> insight(Message request) {
    if (request instanceof SearchQueuesRequest search) {
      return Optional.of(search(search));
    }
    if (request instanceof RatesRequest rates) {
      return Optional.of(listNames(rates.getQueueList(), List.of()));
    }
    if (request instanceof FailuresRequest failures) {
      return Optional.of(nameOrAll(failures.getQueue()));
    }
    if (request instanceof DeadLettersRequest dead) {
      return Optional.of(nameOrAll(dead.getQueue()));
    }
    if (request instanceof WaitersRequest waiters) {
      return Optional.of(nameOrAll(waiters.getQueue()));
    }
    // A worker may hold tasks of any queue.
    return request instanceof OverviewRequest || request instanceof WorkersRequest
        ? Optional.of(nameOrAll(""))
        : Optional.empty();
  }

  private static List<Permission> search(SearchQueuesRequest request) {
    if (request.getNameCount() > 0) {
      // Sums tell of the members.
      List<String> below =
          request.getFold()
              ? request.getNameList().stream().map(name -> name + '/').toList()
              : List.of();
      return listNames(request.getNameList(), below);
    }
    String pool = request.getPool();
    return pool.isEmpty()
        ? listNames(List.of(), List.of(request.getPrefix()))
        : listNames(List.of(pool), List.of(pool + '/'));
  }

  private static List<Permission> nameOrAll(String queue) {
    return listNames(queue.isEmpty() ? List.of() : List.of(queue), List.of());
  }

  /** On the queues that a Modify names, in the order of its items. */
  static List<Permission> modify(ModifyRequest request) {
    List<Permission> permissions = new ArrayList<>();
    request
        .getInsertsList()
        .forEach(task -> permissions.add(Permission.of(Action.INSERT, task.getQueue())));
    request.getChangesList().forEach(change -> change(change, permissions));
    request
        .getDeletesList()
        .forEach(task -> permissions.add(Permission.of(Action.DELETE, task.getQueue())));
    request
        .getDependsList()
        .forEach(task -> permissions.add(Permission.of(Action.READ, task.getQueue())));
    request
        .getFailsList()
        .forEach(fail -> permissions.add(Permission.of(Action.CHANGE, fail.getId().getQueue())));
    policies(request, permissions);
    permissions.addAll(claim(request.getThenClaim()));
    return permissions;
  }

  /**
   * To write a policy, every permission on the names it applies to; besides, to claim by its
   * limiters and from the members of its pool, and to insert where it lets tasks go.
   */
  private static void policies(ModifyRequest request, List<Permission> permissions) {
    for (Policy policy : request.getPolicyPutsList()) {
      all(policy.getKind(), policy.getName(), permissions);
      policy
          .getLimitersList()
          .forEach(limiter -> permissions.add(Permission.of(Action.CLAIM, limiter)));
      Stream.of(policy.getDeadQueue(), policy.getExpiredQueue())
          .filter(queue -> !queue.isEmpty())
          .forEach(queue -> permissions.add(Permission.of(Action.INSERT, queue)));
      policy
          .getGroupsList()
          .forEach(
              group ->
                  permissions.add(Permission.of(Action.INSERT, policy.getName() + "/" + group)));
      if (policy.getFair() != Fair.FAIR_NONE) {
        permissions.add(Permission.ofPrefix(Action.CLAIM, policy.getName() + "/"));
      }
    }
    for (PolicyRef policy : request.getPolicyDeletesList()) {
      all(policy.getKind(), policy.getName(), permissions);
    }
    for (PolicyPause pause : request.getPausesList()) {
      all(pause.getKind(), pause.getName(), permissions);
    }
  }

  private static void all(PolicyKind kind, String name, List<Permission> permissions) {
    boolean isPrefix = kind == PolicyKind.POLICY_PREFIX;
    for (Action action : Action.values()) {
      permissions.add(new Permission(action, name, isPrefix));
    }
  }

  /** Without a new queue, a task stays where it is. */
  private static void change(TaskChange change, List<Permission> permissions) {
    String from = change.getOldId().getQueue();
    String to = change.getNewData().getQueue();
    if (to.isEmpty() || to.equals(from)) {
      permissions.add(Permission.of(Action.CHANGE, from));
    } else {
      permissions.add(Permission.of(Action.DELETE, from));
      permissions.add(Permission.of(Action.INSERT, to));
    }
  }

  /**
   * On the namespaces of the sets that a claim of docs names: to claim them, and to read them
   * unless the response has no docs of that namespace.
   */
  static List<Permission> claim(DocClaim claim) {
    Map<String, Boolean> namespaces = new LinkedHashMap<>();
    for (DocSetClaim set : claim.getSetsList()) {
      namespaces.merge(set.getSet().getNamespace(), !set.getOmitMembers(), Boolean::logicalOr);
    }
    if (claim.getSetsCount() == 0) {
      namespaces.put(claim.getNamespace(), true);
    }
    List<Permission> permissions = new ArrayList<>();
    namespaces.forEach(
        (namespace, hasDocs) -> {
          permissions.add(Permission.of(Action.CLAIM, namespace));
          if (hasDocs) {
            permissions.add(Permission.of(Action.READ, namespace));
          }
        });
    return permissions;
  }

  /** On the queue of the task whose lease a claim of docs takes over, as that shows the task. */
  static List<Permission> matchedTask(DocClaim claim) {
    return claim.hasTaskToMatch() ? list(claim.getTaskToMatch().getQueue()) : List.of();
  }

  static List<Permission> docs(ModifyRequest request) {
    List<Permission> permissions = new ArrayList<>();
    request
        .getDocInsertsList()
        .forEach(doc -> permissions.add(Permission.of(Action.INSERT, doc.getNamespace())));
    // Docs do not change their namespaces; requests to do so are refused before.
    request
        .getDocChangesList()
        .forEach(
            change ->
                permissions.add(Permission.of(Action.CHANGE, change.getOldId().getNamespace())));
    request
        .getDocDeletesList()
        .forEach(doc -> permissions.add(Permission.of(Action.DELETE, doc.getNamespace())));
    request
        .getDocDependsList()
        .forEach(doc -> permissions.add(Permission.of(Action.READ, doc.getNamespace())));
    return permissions;
  }
}
