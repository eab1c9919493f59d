package io.entroq.server.serving;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The network of this machine, as the operating system describes it. Sends nothing but DNS. */
final class LocalNetwork implements MemberTraffic.Network {
  private static final int ANY_PORT = 9;

  @Override
  public List<InetAddress> addresses(String host) {
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    try {
      return List.of(InetAddress.getAllByName(bare));
    } catch (UnknownHostException e) {
      return List.of();
    }
  }

  @Override
  public Optional<String> wireGuard(InetAddress address) {
    // The system chooses the way to a peer when a socket is connected, before anything is sent.
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.connect(new InetSocketAddress(address, ANY_PORT));
      return Optional.ofNullable(NetworkInterface.getByInetAddress(socket.getLocalAddress()))
          .map(NetworkInterface::getName)
          .filter(LocalNetwork::isWireGuard);
    } catch (IOException | UncheckedIOException e) {
      return Optional.empty();
    }
  }

  /** Known to the kernel, or served by a process such as wireguard-go. */
  private static boolean isWireGuard(String name) {
    try {
      Path description = Path.of("/sys/class/net", name, "uevent");
      return Files.exists(Path.of("/run/wireguard", name + ".sock"))
          || Files.exists(Path.of("/var/run/wireguard", name + ".sock"))
          || Files.readAllLines(description).contains("DEVTYPE=wireguard");
    } catch (IOException e) {
      return false;
    }
  }
}
