package io.entroq.cluster.session;

import io.aeron.archive.codecs.ArchiveIdRequestDecoder;
import io.aeron.archive.codecs.BoundedReplayRequestDecoder;
import io.aeron.archive.codecs.FindLastMatchingRecordingRequestDecoder;
import io.aeron.archive.codecs.KeepAliveRequestDecoder;
import io.aeron.archive.codecs.ListRecordingRequestDecoder;
import io.aeron.archive.codecs.ListRecordingsForUriRequestDecoder;
import io.aeron.archive.codecs.ListRecordingsRequestDecoder;
import io.aeron.archive.codecs.MaxRecordedPositionRequestDecoder;
import io.aeron.archive.codecs.RecordingPositionRequestDecoder;
import io.aeron.archive.codecs.ReplayRequestDecoder;
import io.aeron.archive.codecs.ReplayTokenRequestDecoder;
import io.aeron.archive.codecs.StartPositionRequestDecoder;
import io.aeron.archive.codecs.StopPositionRequestDecoder;
import io.aeron.archive.codecs.StopReplayRequestDecoder;
import io.aeron.security.Authenticator;
import io.aeron.security.AuthorisationService;
import io.aeron.security.CredentialsSupplier;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * Who may do what with a member's archive. The member's own process may do everything; it is known
 * by a random principal that never leaves it. All others may only read, and with a secret they must
 * know it. Any thread.
 */
public final class ArchiveAccess implements AuthorisationService {
  private static final Set<Integer> READING =
      Set.of(
          ArchiveIdRequestDecoder.TEMPLATE_ID,
          KeepAliveRequestDecoder.TEMPLATE_ID,
          ListRecordingRequestDecoder.TEMPLATE_ID,
          ListRecordingsRequestDecoder.TEMPLATE_ID,
          ListRecordingsForUriRequestDecoder.TEMPLATE_ID,
          FindLastMatchingRecordingRequestDecoder.TEMPLATE_ID,
          StartPositionRequestDecoder.TEMPLATE_ID,
          StopPositionRequestDecoder.TEMPLATE_ID,
          RecordingPositionRequestDecoder.TEMPLATE_ID,
          MaxRecordedPositionRequestDecoder.TEMPLATE_ID,
          ReplayRequestDecoder.TEMPLATE_ID,
          BoundedReplayRequestDecoder.TEMPLATE_ID,
          ReplayTokenRequestDecoder.TEMPLATE_ID,
          StopReplayRequestDecoder.TEMPLATE_ID);

  private final Optional<MemberSecret> secret;
  private final byte[] own;
  private final byte[] remote;

  /**
   * @param secret the members' secret, if there is one
   */
  public ArchiveAccess(Optional<MemberSecret> secret) {
    this.secret = secret.map(MemberSecret::forArchives);
    SecureRandom random = new SecureRandom();
    own = MemberPrincipal.of(random.nextLong());
    remote = MemberPrincipal.of(random.nextLong());
  }

  /** Of a new archive. */
  public Authenticator authenticator() {
    return MemberAuthenticator.ofArchive(secret);
  }

  /** For this process's sessions with its own archive, which do not leave the machine. */
  public CredentialsSupplier ownCredentials() {
    return new MemberCredentials(own, secret);
  }

  /** For sessions with archives of other members. */
  public CredentialsSupplier remoteCredentials() {
    return new MemberCredentials(remote, secret);
  }

  @Override
  public boolean isAuthorised(int protocolId, int actionId, Object type, byte[] encodedPrincipal) {
    // Null until the session is admitted.
    return encodedPrincipal != null
        && (Arrays.equals(own, encodedPrincipal) || READING.contains(actionId));
  }
}
