package io.entroq.service.authorization;

import io.entroq.service.call.CallContext;
import io.entroq.service.translation.Refusal;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * What the caller of a feed may read, as the authorizer has said within the last minute. One thread
 * at a time.
 */
final class PermittedNames {
  /** After so long, the authorizer is asked again. */
  static final long KNOWN_NS = TimeUnit.SECONDS.toNanos(60);

  /** So many names are remembered, those used last. */
  static final int NAMES_MAX = 10_000;

  /** So many names are in one question. */
  private static final int ASKED_MAX = 100;

  private final LoggedAuthorizer authorizer;
  private final CallContext context;
  private final LongSupplier nanoTime;
  private final Map<Name, Known> known = new LinkedHashMap<>(16, 0.75f, true);

  /** What a permission is on: queues, or namespaces of docs. */
  record Name(boolean isNamespace, Permission permission) {
    static Name ofQueue(String queue) {
      return new Name(false, Permission.of(Action.READ, queue));
    }

    static Name ofNamespace(String namespace) {
      return new Name(true, Permission.of(Action.READ, namespace));
    }

    /** The permissions on namespaces among these, or on queues. */
    static List<Permission> permissions(List<Name> names, boolean onNamespaces) {
      return names.stream()
          .filter(name -> name.isNamespace == onNamespaces)
          .map(Name::permission)
          .toList();
    }
  }

  private record Known(boolean isPermitted, long sinceNs) {}

  /**
   * @param context with headers that may be read later
   */
  PermittedNames(LoggedAuthorizer authorizer, CallContext context, LongSupplier nanoTime) {
    this.authorizer = authorizer;
    this.context = context;
    this.nanoTime = nanoTime;
  }

  boolean isKnown(Name name) {
    Known found = known.get(name);
    return found != null && nanoTime.getAsLong() - found.sinceNs < KNOWN_NS;
  }

  /** Whether a name may be read; false if that is not known. */
  boolean isPermitted(Name name) {
    Known found = known.get(name);
    return found != null && found.isPermitted;
  }

  /** Remembers what the authorizer has just said. */
  void learn(Collection<Name> names, boolean arePermitted) {
    long nowNs = nanoTime.getAsLong();
    names.forEach(name -> known.put(name, new Known(arePermitted, nowNs)));
  }

  /**
   * Asks the authorizer.
   *
   * @return completes with why it could not decide; empty if all names are known now
   */
  CompletableFuture<Optional<Refusal>> ask(Collection<Name> names) {
    forgetDownTo(Math.max(0, NAMES_MAX - names.size()));
    // A denial does not say whether it is of a queue or of a namespace.
    return askInParts(names.stream().filter(name -> !name.isNamespace).toList())
        .thenCompose(
            failure ->
                failure.isPresent()
                    ? of(failure)
                    : askInParts(names.stream().filter(Name::isNamespace).toList()));
  }

  private CompletableFuture<Optional<Refusal>> askInParts(List<Name> all) {
    CompletableFuture<Optional<Refusal>> asked = nothing();
    for (int from = 0; from < all.size(); from += ASKED_MAX) {
      List<Name> part = all.subList(from, Math.min(from + ASKED_MAX, all.size()));
      asked = asked.thenCompose(failure -> failure.isPresent() ? of(failure) : askOnce(part));
    }
    return asked;
  }

  private void forgetDownTo(int count) {
    var oldest = known.keySet().iterator();
    while (known.size() > count) {
      oldest.next();
      oldest.remove();
    }
  }

  private CompletableFuture<Optional<Refusal>> askOnce(List<Name> names) {
    return names.isEmpty()
        ? nothing()
        : authorizer.askQuietly(query(names)).thenCompose(decision -> decided(names, decision));
  }

  private AuthorizationQuery query(List<Name> names) {
    return AuthorizationQuery.of(
        context, "", Name.permissions(names, false), Name.permissions(names, true));
  }

  private CompletableFuture<Optional<Refusal>> decided(List<Name> names, Decision decision) {
    if (decision.isAllowed()) {
      learn(names, true);
      return nothing();
    }
    if (decision.isFailure()) {
      return of(decision.refusal());
    }
    List<Name> denied = new ArrayList<>(names);
    List<Name> rest = new ArrayList<>(names);
    if (!decision.failed().isEmpty()) {
      denied.removeIf(name -> !decision.covers(name.permission));
      rest.removeAll(denied);
    }
    if (names.size() == 1) {
      learn(names, false);
      return nothing();
    }
    if (denied.isEmpty() || decision.failed().isEmpty()) {
      // It does not say which: each part is a question of its own.
      int half = names.size() / 2;
      return askOnce(names.subList(0, half))
          .thenCompose(
              failure ->
                  failure.isPresent() ? of(failure) : askOnce(names.subList(half, names.size())));
    }
    learn(denied, false);
    return askOnce(rest);
  }

  private static CompletableFuture<Optional<Refusal>> nothing() {
    return of(Optional.empty());
  }

  private static CompletableFuture<Optional<Refusal>> of(Optional<Refusal> failure) {
    return CompletableFuture.completedFuture(failure);
  }
}
