package io.entroq.server.localcluster;

/**
 * Where a member is reached on this machine.
 *
 * @param id of the member, from 0
 * @param port of gRPC
 * @param httpPort of HTTP
 * @param memberPort the first of five for the other members, UDP
 */
record MemberPorts(int id, int port, int httpPort, int memberPort) {}
