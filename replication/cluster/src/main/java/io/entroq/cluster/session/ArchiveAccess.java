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
import io.entroq.engine.state.Levels;
import java.security.SecureRandom;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntSupplier;

/**
 * Who may do what with a member's archive. The member's own process may do everything; it is known
 * by a random principal that never leaves it. All others may only read, and with a secret they must
 * know it. Below behavior level 10 there may be members of older builds, which name no principal
 * and prove nothing to archives: they may read too, as in their own build. Any thread.
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
  private final IntSupplier level;
  private final byte[] own;
  private final byte[] remote;

  /**
   * @param secret the members' secret, if there is one
   * @param level the behavior level of the state; 0 if it is not known
   */
  public ArchiveAccess(Optional<MemberSecret> secret, IntSupplier level) {
    this.secret = secret.map(MemberSecret::forArchives);
    this.level = level;
    SecureRandom random = new SecureRandom();
    own = MemberPrincipal.of(random.nextLong());
    remote = MemberPrincipal.of(random.nextLong());
  }

  /** Of a new archive. */
  public Authenticator authenticator() {
    return MemberAuthenticator.ofArchive(secret, this::mayHaveOlderMembers);
  }

  private boolean mayHaveOlderMembers() {
    int known = level.getAsInt();
    return known > 0 && known < Levels.IMAGES;
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
