package io.entroq.server.localcluster;

/**
 * The ports of a member on this machine.
 *
 * @param id member id, from 0
 * @param port gRPC port
 * @param httpPort HTTP port
 * @param memberPort first of the five UDP ports for other members
 */
record MemberPorts(int id, int port, int httpPort, int memberPort) {}
