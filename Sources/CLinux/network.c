// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include "CLinux.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <linux/tcp.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>

int linux_resolve(const char *host, uint32_t *address) {
  struct in_addr number;
  if (inet_pton(AF_INET, host, &number) == 1) {
    *address = number.s_addr;
    return 0;
  }
  struct ifaddrs *interfaces = NULL;
  if (getifaddrs(&interfaces) == 0) {
    int found = -1;
    for (struct ifaddrs *each = interfaces; each != NULL; each = each->ifa_next) {
      if (each->ifa_addr == NULL || each->ifa_addr->sa_family != AF_INET) continue;
      if (strcmp(each->ifa_name, host) != 0) continue;
      *address = ((struct sockaddr_in *)(void *)each->ifa_addr)->sin_addr.s_addr;
      found = 0;
      break;
    }
    freeifaddrs(interfaces);
    if (found == 0) return 0;
  }
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
  struct addrinfo *results = NULL;
  if (getaddrinfo(host, NULL, &hints, &results) != 0 || results == NULL) return -1;
  *address = ((struct sockaddr_in *)(void *)results->ai_addr)->sin_addr.s_addr;
  freeaddrinfo(results);
  return 0;
}

uint64_t linux_socket_cookie(int socket) {
  uint64_t cookie = 0;
  socklen_t size = sizeof cookie;
  if (getsockopt(socket, SOL_SOCKET, SO_COOKIE, &cookie, &size) != 0) return 0;
  return cookie;
}

uint64_t linux_tcp_received(int socket) {
  struct tcp_info info;
  memset(&info, 0, sizeof info);
  socklen_t size = sizeof info;
  if (getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) != 0) return 0;
  return size >= offsetof(struct tcp_info, tcpi_bytes_received) + 8 ? info.tcpi_bytes_received : 0;
}
