package io.entroq.cluster.session;

import io.aeron.security.CredentialsSupplier;
import java.util.Optional;

/** Proves to the leader that a session, or a query for the log, comes from a member. Any thread. */
public final class MemberCredentials implements CredentialsSupplier {
  private final byte[] principal;
  private final Optional<MemberSecret> secret;

  /**
   * @param principal see {@link MemberPrincipal}
   * @param secret the members' secret, if there is one
   */
  public MemberCredentials(byte[] principal, Optional<MemberSecret> secret) {
    this.principal = principal.clone();
    this.secret = secret;
  }

  @Override
  public byte[] encodedCredentials() {
    return principal.clone();
  }

  @Override
  public byte[] onChallenge(byte[] encodedChallenge) {
    return secret
        .map(known -> known.answer(encodedChallenge, principal))
        .orElseGet(principal::clone);
  }
}
