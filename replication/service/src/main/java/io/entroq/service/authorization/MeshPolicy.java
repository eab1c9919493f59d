package io.entroq.service.authorization;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What a mesh document grants to each caller. Any thread. */
final class MeshPolicy {
  /** Grants nothing but their own queues to service accounts. */
  static final MeshPolicy NONE = new MeshPolicy(new MeshDocument(List.of(), List.of(), Map.of()));

  private static final String INBOX = "/inbox";
  private static final String RESPONSES = "/response/";
  private static final int SUBJECT_PARTS = 4;

  private final MeshDocument document;

  /** Computed when a caller first calls; bounded by the callers that the document names. */
  private final Map<String, Grants> known = new ConcurrentHashMap<>();

  MeshPolicy(MeshDocument document) {
    this.document = document;
  }

  /** The grants of a caller; an empty subject has none. */
  Grants grants(String subject) {
    Map<String, String> labels = document.identities().get(subject);
    return labels == null
        ? new Grants(own(subject), new Names())
        : known.computeIfAbsent(subject, unknown -> grants(subject, labels));
  }

  private Grants grants(String subject, Map<String, String> labels) {
    Names queues = own(subject);
    for (MeshDocument.Rule rule : document.queues()) {
      if (rule.allows(labels)) {
        queues.add(rule);
        if (!rule.isPrefix() && rule.pattern().endsWith(INBOX)) {
          // Whoever may send a request may also receive the response.
          queues.prefixes.add(
              rule.pattern().substring(0, rule.pattern().length() - INBOX.length()) + RESPONSES);
        }
      }
    }
    Names namespaces = new Names();
    document.namespaces().stream().filter(rule -> rule.allows(labels)).forEach(namespaces::add);
    return new Grants(queues, namespaces);
  }

  /** The queues of a Kubernetes service account: {@code /NAMESPACE/ACCOUNT/…}. */
  private static Names own(String subject) {
    Names names = new Names();
    String[] parts = subject.split(":", -1);
    if (parts.length == SUBJECT_PARTS
        && parts[0].equals("system")
        && parts[1].equals("serviceaccount")) {
      names.prefixes.add("/" + parts[2] + "/" + parts[3] + "/");
    }
    return names;
  }

  int callers() {
    return document.identities().size();
  }

  int rules() {
    return document.queues().size() + document.namespaces().size();
  }

  /** All actions on these queues and namespaces. */
  record Grants(Names queues, Names namespaces) {
    boolean isEmpty() {
      return queues.isEmpty() && namespaces.isEmpty();
    }
  }

  /** A set of names. */
  static final class Names {
    private final Set<String> exact = new HashSet<>();
    private final List<String> prefixes = new ArrayList<>();

    private void add(MeshDocument.Rule rule) {
      if (rule.isPrefix()) {
        prefixes.add(rule.pattern());
      } else {
        exact.add(rule.pattern());
      }
    }

    boolean isEmpty() {
      return exact.isEmpty() && prefixes.isEmpty();
    }

    /** Whether it has a name, or all names with a prefix; never all names. */
    boolean covers(Permission permission) {
      return (!permission.isPrefix() && exact.contains(permission.name()))
          || prefixes.stream().anyMatch(permission.name()::startsWith);
    }
  }
}
