package io.entroq.cluster.session;

import io.aeron.security.CredentialsSupplier;
import java.util.Optional;

/**
 * Shows who opens a session, or asks for the log, and that he knows the secret of members. Any
 * thread.
 */
public final class MemberCredentials implements CredentialsSupplier {
  private final byte[] principal;
  private final Optional<MemberSecret> secret;

  /**
   * @param principal see {@link MemberPrincipal}
   * @param secret empty: none is known
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
