package io.entroq.service.authorization;

import io.entroq.codec.wire.edge.ClaimRequest;
import io.entroq.codec.wire.edge.DocChange;
import io.entroq.codec.wire.edge.ModifyRequest;
import io.entroq.codec.wire.edge.Task;
import java.util.ArrayList;
import java.util.List;
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

  static List<Permission> docs(ModifyRequest request) {
    List<Permission> permissions = new ArrayList<>();
    request
        .getDocInsertsList()
        .forEach(doc -> permissions.add(Permission.of(Action.INSERT, doc.getNamespace())));
    request.getDocChangesList().forEach(change -> change(change, permissions));
    request
        .getDocDeletesList()
        .forEach(doc -> permissions.add(Permission.of(Action.DELETE, doc.getNamespace())));
    request
        .getDocDependsList()
        .forEach(doc -> permissions.add(Permission.of(Action.READ, doc.getNamespace())));
    return permissions;
  }

  /** Docs cannot move between namespaces; a request to do so needs permission for both. */
  private static void change(DocChange change, List<Permission> permissions) {
    String from = change.getOldId().getNamespace();
    String to = change.getNewData().getNamespace();
    if (to.isEmpty() || to.equals(from)) {
      permissions.add(Permission.of(Action.CHANGE, from));
    } else {
      permissions.add(Permission.of(Action.DELETE, from));
      permissions.add(Permission.of(Action.INSERT, to));
    }
  }
}
