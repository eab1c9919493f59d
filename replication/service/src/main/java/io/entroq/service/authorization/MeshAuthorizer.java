package io.entroq.service.authorization;

import io.entroq.service.call.Principal;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides by a mesh policy, which may be replaced as a whole at any time. The policy is in memory
 * only. Any thread; does not block.
 */
final class MeshAuthorizer implements Authorizer {
  /** Larger documents are refused. */
  static final int DOCUMENT_BYTES_MAX = 2 << 20;

  private static final Logger LOG = LoggerFactory.getLogger(MeshAuthorizer.class);

  private final MeshConfig config;
  private volatile MeshPolicy policy = MeshPolicy.NONE;

  MeshAuthorizer(MeshConfig config) {
    this.config = config;
  }

  /**
   * Reads the policy to start with.
   *
   * @throws MeshPolicyException if the file cannot be read, or is not a valid policy
   */
  void load() throws MeshPolicyException {
    if (config.policyFile().isEmpty()) {
      return;
    }
    Path file = config.policyFile().get();
    byte[] document;
    try {
      document = Files.readAllBytes(file);
    } catch (IOException e) {
      throw new MeshPolicyException("cannot read the mesh policy %s: %s".formatted(file, e), e);
    }
    try {
      replace(document, file.toString());
    } catch (MeshPolicyException e) {
      throw new MeshPolicyException(file + ": " + e.getMessage(), e);
    }
  }

  /**
   * Replaces the policy; keeps the old one if the new one is not valid.
   *
   * @param source of the document, for the log
   */
  void replace(byte[] document, String source) throws MeshPolicyException {
    MeshPolicy replacement = new MeshPolicy(MeshDocument.parse(document));
    policy = replacement;
    LOG.info(
        "The mesh policy of {} is in force: {} rules, {} callers.",
        source,
        replacement.rules(),
        replacement.callers());
  }

  /** Whether a caller may replace the policy. */
  boolean mayReplace(Principal caller) {
    return caller.subject().equals(config.updateSubject());
  }

  @Override
  public CompletableFuture<Decision> ask(AuthorizationQuery query) {
    return CompletableFuture.completedFuture(decide(query));
  }

  private Decision decide(AuthorizationQuery query) {
    String subject = query.principal().map(Principal::subject).orElse("");
    if (subject.equals(config.updateSubject()) && isAboutEverything(query)) {
      // Who can give itself any permission need not ask for that of an operator.
      return Decision.ALLOWED;
    }
    MeshPolicy.Grants grants = policy.grants(subject);
    List<DeniedItem> queues = denied(query.queues(), grants.queues());
    List<DeniedItem> namespaces = denied(query.namespaces(), grants.namespaces());
    boolean isOwnClaimant =
        query.claimantId().isEmpty()
            || subject.isEmpty()
            || query.claimantId().startsWith(subject + "#");
    boolean isCovered = queues.isEmpty() && namespaces.isEmpty();
    if (isCovered && isOwnClaimant && !grants.isEmpty()) {
      return Decision.ALLOWED;
    }
    DenialDetails details = new DenialDetails();
    if (!isCovered && !subject.isEmpty()) {
      details.error("User: " + subject);
    }
    if (!isOwnClaimant) {
      details.error("claimant_id does not match authenticated user");
    }
    queues.forEach(details::queue);
    namespaces.forEach(details::namespace);
    return Decision.denied(details.build(), queues);
  }

  /** Whether it asks for all queues and namespaces, as only operators do. */
  private static boolean isAboutEverything(AuthorizationQuery query) {
    return !(query.queues().isEmpty() && query.namespaces().isEmpty())
        && query.queues().stream().allMatch(Permission::isAny)
        && query.namespaces().stream().allMatch(Permission::isAny);
  }

  private static List<DeniedItem> denied(List<Permission> wanted, MeshPolicy.Names granted) {
    List<DeniedItem> denied = new ArrayList<>();
    for (Permission permission : wanted) {
      if (!granted.covers(permission)) {
        denied.add(DeniedItem.of(permission));
      }
    }
    return denied;
  }
}
